import { run, storeAway } from './client.ts'
import { ApiError } from './errors.ts'
import type { Operation } from './operation.ts'
import { noteError } from './query.ts'

/** Why an act is not done, and what mends it. */
export interface Refusal {
  readonly message: string
  readonly fix?: string | undefined
  readonly problems?: readonly {
    readonly path: string
    readonly message: string
    readonly fix: string
  }[]
  /** After a conflict: what has changed meanwhile, as it is now. */
  readonly account?: Present | null
  readonly key?: Present | null
  readonly team?: Present | null
  readonly limit?: Present | null
  readonly price?: Present | null
}

/** A record as it is now. */
export interface Present {
  readonly version?: number | null
  readonly [field: string]: unknown
}

/** What an act has met instead of what its user saw; undefined: nothing of that kind. */
export function presentOf({ account, key, team, limit, price }: Refusal): Present | undefined {
  return account ?? key ?? team ?? limit ?? price ?? undefined
}

/** The end of an act: what its field answers, or why it is not done. */
export type ActEnd<Result> =
  | {
      readonly isDone: true
      readonly result: Result
      /** Processes in which it may not be done, and what else the answer lacks. */
      readonly gaps: readonly string[]
    }
  | { readonly isDone: false; readonly refusal: Refusal }

type Field<Data> = NonNullable<Data[keyof Data]>

/** What an act answers when it is done. */
export type SuccessOf<Data> = Exclude<
  Field<Data>,
  { __typename: 'Conflict' | 'Invalid' | 'ManagedByFile' | 'NotFound' | 'StoreUnavailable' }
>

const failures = new Set(['Conflict', 'Invalid', 'ManagedByFile', 'NotFound', 'StoreUnavailable'])

/** Runs a mutation of one act. Its operation spreads `...Refusal`. */
export async function act<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<ActEnd<SuccessOf<Data>>> {
  try {
    const { data, errors, gaps } = await run(operation, variables)
    const [field] = Object.values(data as object) as (Partial<Refusal> & { __typename?: string })[]
    if (field === null || field === undefined) {
      const message = errors[0]?.reason ?? 'The gateway does not say what has become of it.'
      return { isDone: false, refusal: { message } }
    }
    // The answer may say it only seconds later.
    if (field.__typename === 'StoreUnavailable') storeAway.set(true)
    if (field.__typename !== undefined && failures.has(field.__typename))
      return { isDone: false, refusal: { message: field.message ?? field.__typename, ...field } }
    const reasons = gaps.map(({ reason }) => reason)
    return { isDone: true, result: field as SuccessOf<Data>, gaps: reasons }
  } catch (error) {
    noteError(error)
    return { isDone: false, refusal: { message: wordsOf(error) } }
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error)
  if (error.code === '') return `${error.message} Whether the act is done is not known.`
  return error.message
}
