import { textsOf } from '../../app/search-texts.ts'

/** What went wrong with a call. */
export const outcomes = [
  { value: 'SERVER_ERROR', name: '5xx' },
  { value: 'CLIENT_ERROR', name: '4xx' },
  { value: 'BROKEN', name: 'Broke off' },
  { value: 'CLIENT_GONE', name: 'Client left' },
  { value: 'RETRIED', name: 'With a failed attempt' },
] as const
type Outcome = (typeof outcomes)[number]['value']

/** What the page Calls shows, in its address. */
export interface CallsSearch {
  readonly show?: 'ended' | undefined
  readonly outcome?: Outcome | undefined
  readonly minMs?: number | undefined
  readonly keyId?: string | undefined
  readonly team?: string | undefined
  readonly triedAccountId?: string | undefined
  readonly model?: string | undefined
  readonly dialect?: string | undefined
  /** When the calls began: the first moment, and the one behind the last. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** The cursor of the page of ended calls. */
  readonly after?: string | undefined
  /** The call whose detail is open. */
  readonly open?: string | undefined
}

const names = ['keyId', 'team', 'triedAccountId', 'model', 'dialect', 'after', 'open'] as const

/** Reads the search parameters of the page. */
export function readCallsSearch(search: Record<string, unknown>): CallsSearch {
  const outcome = outcomes.find(({ value }) => value === search['outcome'])
  const minMs = Number(search['minMs'])
  const { from = '', to = '' } = textsOf(search, ['from', 'to'])
  return {
    ...(search['show'] === 'ended' && { show: 'ended' }),
    ...(outcome && { outcome: outcome.value }),
    ...(Number.isInteger(minMs) && minMs > 0 && { minMs }),
    ...(!Number.isNaN(Date.parse(from)) && { from }),
    ...(!Number.isNaN(Date.parse(to)) && { to }),
    ...textsOf(search, names),
  }
}

/** The filter of the API for the calls in flight, or for ended ones. */
export function filterOf(search: CallsSearch) {
  const { outcome, minMs, keyId, team, triedAccountId, model, dialect, from, to } = search
  return {
    ...(outcome && { outcome: [outcome] }),
    ...(minMs && { minMs }),
    ...(keyId && { keyId }),
    ...(team && { team }),
    ...(triedAccountId && { triedAccountId }),
    ...(model && { model }),
    ...(dialect && { dialect }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

/** The filter of the live events: it knows less than lists do. */
export function liveFilterOf({ keyId, model, dialect }: CallsSearch) {
  return { ...(keyId && { keyId }), ...(model && { model }), ...(dialect && { dialect }) }
}
