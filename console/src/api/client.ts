import { type ApiError, errorOf } from './errors.ts'
import type { Operation } from './operation.ts'
import { pause } from './pause.ts'
import { createStore } from './store.ts'
import { type SendOptions, failureOf, send } from './request.ts'

/** A part that an answer lacks, or that is not the latest. */
export interface Gap {
  /** The field of the operation. */
  readonly field: string
  readonly reason: string
}

/** The answer of an operation. */
export interface Answer<Data> {
  readonly data: Data
  /** Fields without a value, since they could not be answered. */
  readonly errors: readonly (Gap & { readonly code: string })[]
  /** Fields that lack a part, or show what was known last. */
  readonly gaps: readonly Gap[]
  /** When it arrived, by the clock of the page: ages count from here. */
  readonly arrivedAt: number
}

interface Body<Data> {
  readonly data?: Data | null
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly (string | number)[]
    readonly extensions?: { readonly code?: string }
  }[]
  readonly extensions?: {
    readonly incomplete?: readonly Gap[]
    readonly storeAway?: boolean
  }
}

/** Whether the store of the gateway was away at the last answer. */
export const storeAway = createStore(false)

/** What the gateway is asked: the hash of an operation of this build, and its variables. */
export function requestBody<Data, Variables>(
  { name, hash }: Operation<Data, Variables>,
  variables: Variables,
): object {
  const persistedQuery = { version: 1, sha256Hash: hash }
  return { operationName: name, variables, extensions: { persistedQuery } }
}

/**
 * Runs a query or a mutation. A query that meets the rate of its session is sent once more. Rejects with `ApiError`
 * if it has no answer at all.
 */
export async function run<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  options: Pick<SendOptions, 'signal' | 'keepalive'> = {},
): Promise<Answer<Data>> {
  const { signal } = options
  const body = requestBody(operation, variables)
  let response = await send('graphql', { body, ...options })
  if (response.status === 429) {
    const { retryAfterMs } = await failureOf(response)
    await pause(Math.min(5_000, retryAfterMs || 1_000), signal)
    signal?.throwIfAborted()
    response = await send('graphql', { body, ...options })
  }
  if (!response.ok) throw await failureOf(response)
  return answerOf((await response.json()) as Body<Data>)
}

function answerOf<Data>({ data, errors = [], extensions = {} }: Body<Data>): Answer<Data> {
  storeAway.set(extensions.storeAway ?? false)
  if (data === undefined || data === null) throw firstError(errors)
  return {
    data,
    errors: errors.map(({ message, path, extensions }) => ({
      field: String(path?.[0] ?? ''),
      reason: message,
      code: extensions?.code ?? '',
    })),
    gaps: extensions.incomplete ?? [],
    arrivedAt: performance.now(),
  }
}

function firstError(errors: NonNullable<Body<unknown>['errors']>): ApiError {
  const [first] = errors
  return errorOf(first?.extensions?.code ?? '', first?.message ?? 'The gateway answered nothing.')
}
