/** One check of a contract, for any test runner. */
export interface ContractCheck {
  readonly name: string
  /** Rejects with an `AssertionError` if the subject violates the contract. */
  run(): Promise<void>
}
