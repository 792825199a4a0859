/**
 * The subject of an account's refusal:
 * - `request`: its content, files, size or rights; every key but the caller's is unaffected
 * - `request-or-model`: the account's credential works, so the refusal is about one of the two
 * - `model`: the account may not use the model
 * - `model-limit`, `account-limit`: a rate limit of the model at the account, or of the whole account
 * - `credential`, `credit`: the account's key or state, or its money
 * - `endpoint`: the account's server does not have it
 * - `answer`: the model has given no usable answer, but a malformed call for example
 * - `unclear`: none of the provider's documented codes says so
 */
export type RefusalSubject =
  | 'request'
  | 'request-or-model'
  | 'model'
  | 'model-limit'
  | 'account-limit'
  | 'credential'
  | 'credit'
  | 'endpoint'
  | 'answer'
  | 'unclear'

/** An error that an account reports, as its reply or inside one. */
export interface Refusal {
  /** The HTTP status, or the one that an error inside a reply stands for. */
  readonly status: number
  /** The provider's error object: `error` of the reply, or else the reply itself. Empty without a JSON object. */
  readonly error: Readonly<Record<string, unknown>>
  /** The headers of an error reply, their names in small letters. Empty for an error inside a reply. */
  readonly headers: Readonly<Record<string, string>>
}

/** The result of a free call that the gateway makes to check an account's credential. */
export type AccountCheck =
  /** The account accepts its credential. */
  | 'accepted'
  /** The account refuses its credential, or has no credit. */
  | 'refused'
  /** The check proves nothing: the dialect has no free call, the call failed, or its refusal is unclear. */
  | 'inconclusive'
  /** The configuration has no such account any more. */
  | 'gone'
