import { Client, fetchExchange, gql } from '@urql/core'

/** An event of `live`, as the query of `follow` asks for it. */
export interface LiveEvent {
  readonly __typename: string
  readonly processId?: string
  readonly count?: number | null
  readonly processes?: number
  readonly at?: string
  readonly calls?: number
  readonly reason?: string
  readonly accountId?: string
  readonly enabled?: boolean
  readonly deleted?: boolean
  readonly exclusions?: readonly { readonly kind: string }[]
  readonly circuit?: string
  readonly dialect?: string
  readonly jobId?: string
  readonly kind?: string
  readonly state?: string
  readonly progress?: number
  readonly keyId?: string
  readonly forgotten?: boolean
  readonly hash?: string
  readonly topic?: string
  readonly ids?: readonly string[]
  readonly exchange?: {
    readonly id: string
    readonly processId: string
    readonly accountId?: string
    readonly model?: string | null
  }
  readonly entry?: { readonly action: string; readonly result: string }
}

/** A subscription of a real client. */
export interface Following extends Disposable {
  readonly events: readonly LiveEvent[]
  readonly errors: readonly string[]
}

const query = gql`
  subscription ($topics: [LiveTopic!]!, $filter: LiveFilter) {
    live(topics: $topics, filter: $filter) {
      __typename
      ... on PulseSample {
        at
        processes
        calls
      }
      ... on ExchangeBegan {
        exchange {
          id
          processId
          accountId
          model
        }
      }
      ... on ExchangeChanged {
        exchange {
          id
          processId
          accountId
        }
      }
      ... on ExchangeEnded {
        exchange {
          id
          processId
          accountId
          model
        }
      }
      ... on AccountChanged {
        processId
        accountId
        enabled
        deleted
        exclusions {
          kind
        }
      }
      ... on CircuitChanged {
        processId
        accountId
        dialect
        circuit
      }
      ... on JobChanged {
        processId
        jobId
        kind
        state
        progress
        keyId
        forgotten
      }
      ... on ConfigurationChanged {
        processId
        hash
      }
      ... on AuditRecorded {
        processId
        entry {
          action
          result
        }
      }
      ... on RecordsChanged {
        processId
        topic
        ids
      }
      ... on Missed {
        count
        reason
      }
    }
  }
`

/** Follows topics over SSE. */
export function follow(
  adminUrl: string,
  token: string,
  topics: readonly string[],
  filter?: object,
): Following {
  const client = new Client({
    url: `${adminUrl}/graphql`,
    exchanges: [fetchExchange],
    fetchSubscriptions: true,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
  })
  const events: LiveEvent[] = []
  const errors: string[] = []
  const { unsubscribe } = client
    .subscription<{ live: LiveEvent }>(query, { topics, filter })
    .subscribe(({ data, error }) => {
      if (error) errors.push(error.message)
      if (data) events.push(data.live)
    })
  return { events, errors, [Symbol.dispose]: unsubscribe }
}
