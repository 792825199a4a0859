/** An operation of the console: the gateway knows its text by the hash. */
export interface Operation<Data, Variables> {
  readonly name: string
  readonly hash: string
  /** Only for the types of variables and answer. */
  readonly types?: (variables: Variables) => Data
}

/** What an operation answers. */
export type DataOf<Of> = Of extends Operation<infer Data, infer _> ? Data : never
