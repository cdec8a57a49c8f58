const tabKey = 'admin_tab'
const viewKey = 'admin_appointments_view'

/** The tab that was chosen last in this browser. */
export const recallTab = () => localStorage.getItem(tabKey)

export const rememberTab = (tab: string) => localStorage.setItem(tabKey, tab)

/** The view of the appointments that was chosen last in this browser. */
export const recallView = () => localStorage.getItem(viewKey)

export const rememberView = (view: string) => localStorage.setItem(viewKey, view)
