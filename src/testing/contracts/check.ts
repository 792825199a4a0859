/** One promise of a contract. Any test runner can run it: it throws where the promise is broken. */
export interface ContractCheck {
  readonly name: string
  /** Rejects with an `AssertionError` that says what was expected. */
  run(): Promise<void>
}
