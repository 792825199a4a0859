import type { ExplainNamesQuery } from './operations.generated.ts'

/** An operation that can be explained. */
export type Explainable = ExplainNamesQuery['explainable'][number]

/** The operation that a dialect and a name mean; without a name, the usual one of the dialect. */
export function meantBy(
  all: readonly Explainable[],
  named: { readonly dialect?: string | undefined; readonly operation?: string | undefined },
): Explainable | undefined {
  return all.find(
    ({ dialect, operation, isUsual }) =>
      dialect === named.dialect &&
      (named.operation === undefined ? isUsual : operation === named.operation),
  )
}
