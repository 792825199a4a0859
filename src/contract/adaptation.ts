/** A request to an account as its dialect has it. */
export interface AdaptedRequest {
  readonly method: string
  /** The full path, with the version: `/v1/messages`. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string | undefined
  /** The account's name of the model; empty for a request about none. */
  readonly model: string
  readonly stream: boolean
}

/** What an adaptation may depend on. An `Account` is one. */
export interface AdaptedAccount {
  readonly provider: string
  /** As `Account.options`. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** A request of a dialect, as a provider has it. */
export interface AdaptedTarget {
  readonly path: string
  readonly query?: string | undefined
  /** Absent: the dialect's own. */
  readonly method?: string
  /** The whole JSON body, in place of the dialect's. */
  readonly json?: Readonly<Record<string, unknown>>
}

/** How requests of a dialect to accounts of a provider differ. Accounts without such differences pay nothing for them. */
export interface Adaptation {
  /**
   * Another path, which stands behind the root as it is, its query, and where that differs method and body.
   * `undefined`: the provider has no such request. Absent: the dialect's own.
   */
  target?(request: AdaptedRequest, account: AdaptedAccount): AdaptedTarget | undefined
  /** Changes of a JSON body. A function decides for each request. Absent: there are none. */
  readonly body?:
    | BodyChanges
    | ((request: AdaptedRequest, account: AdaptedAccount) => BodyChanges | undefined)
  /** Headers of the dialect that the provider does not take, in lower case. */
  readonly dropHeaders?: readonly string[]
}

/** Changes of the members at the top of a JSON body. */
export interface BodyChanges {
  /** Members that the provider refuses, with the reason, which clients read as a loss. */
  readonly drop?: Readonly<Record<string, string>>
  /** Members that stand elsewhere at this provider, such as in the path: no loss. */
  readonly move?: readonly string[]
  /** Members with another name. Where a body has both, the new one counts, and the old one is a loss. */
  readonly rename?: Readonly<Record<string, string>>
  /** Members that have these values, whatever the client writes. */
  readonly set?: Readonly<Record<string, unknown>>
  /** Other names of roles, in the turns of `messages` and `input`. */
  readonly roles?: Readonly<Record<string, string>>
}
