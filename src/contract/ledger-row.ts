import type { Outcome, Summary, Usage } from './outcome.ts'
import type { Spend } from './spend.ts'

/** An attempt at an account, as the ledger stores it. It contains no content, and no secret. */
export interface LedgerRow {
  /** The value of `x-request-id`. */
  readonly exchange: string
  /** The number of the attempt in its exchange, from 1. */
  readonly attempt: number
  /** When the exchange ended, in milliseconds since 1970. */
  readonly at: number
  readonly keyId: string
  readonly team?: string | undefined
  readonly operation: string
  readonly dialect: string
  /** As the client named it. Absent: the same as `model`. */
  readonly requested?: string | undefined
  readonly model: string
  /** The name that sums have for a model that clients can make up: the pattern that takes it. */
  readonly pool?: string | undefined
  readonly accountId: string
  readonly upstreamModel: string
  readonly status: Outcome['status']
  readonly fault: Outcome['fault']
  /** The status of the account's reply. */
  readonly httpStatus?: number | undefined
  /** The code of the error that ended the attempt. */
  readonly error?: string | undefined
  /** Whether it is the end of a job. `exchange` is the id of a video, or the `responseJobId` of a response in the background. */
  readonly isJob?: true | undefined
  /** Whether the operation asks no model for work: it is in no sum. */
  readonly isFree?: true | undefined
  readonly usage: Spend['usage']
  readonly tokens?: Usage | undefined
  /** In nano-dollars; null: unknown. */
  readonly costNano: number | null
  /** Why the cost is unknown. */
  readonly uncosted?: string | undefined
  /** The price of the cost. Absent: there is none, or the job's cost is the estimate of its order. */
  readonly priceVersion?: string | undefined
  /** From the request to the account to the end of its reply. */
  readonly ms: number
  /** What became of the call. Absent: another attempt followed. */
  readonly reply?: LedgerReply | undefined
}

/** The reply of a call, in the row of its last attempt. */
export interface LedgerReply {
  readonly status: number
  readonly end: Summary['end']
  readonly stream: boolean
  /** The code of the error that the client got. */
  readonly error?: string | undefined
  readonly ms: number
  /** Absent: there was no output. */
  readonly firstOutputMs?: number | undefined
}
