const tabKey = 'admin_tab'
const viewKey = 'admin_appointments_view'

/** The tab that the user of this browser chose last. */
export const recallTab = () => localStorage.getItem(tabKey)

export const rememberTab = (tab: string) => localStorage.setItem(tabKey, tab)

/** The appointments view that the user of this browser chose last. */
export const recallView = () => localStorage.getItem(viewKey)

export const rememberView = (view: string) => localStorage.setItem(viewKey, view)
