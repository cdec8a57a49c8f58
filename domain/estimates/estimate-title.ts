/** The kinds of estimates. Towing has its own estimate and its own invoice, separate from the repair. */
export const estimateKinds = ['repair', 'towing'] as const
export type EstimateKind = (typeof estimateKinds)[number]

/** The name of an estimate on every document: 'Estimate' or 'Towing estimate'. */
export const estimateName = (kind: EstimateKind): string =>
  kind === 'towing' ? 'Towing estimate' : 'Estimate'
