import type { StoredData } from '../contract/stored-data.ts'

/** Further data of a reply has no known owner: an account may disclose any number. */
export const mostData = 1_000

/**
 * The longest id of data, in characters. No account gives longer ones, and the store hashes each of them at every
 * look-up.
 */
const longestDataId = 4_096

/** Whether an id is short enough for data that has an owner. */
export function isDataId({ id }: Pick<StoredData, 'id'>): boolean {
  return id.length <= longestDataId
}

/** The data that a stream discloses, without repetitions. */
export class DisclosedData {
  readonly #all = new Map<string, StoredData>()

  add(...data: readonly StoredData[]): void {
    for (const one of data) {
      if (this.#all.size === mostData) return
      if (isDataId(one)) this.#all.set(`${one.kind} ${one.id}`, one)
    }
  }

  /** `undefined` for none, as in nearly every stream. */
  get all(): readonly StoredData[] | undefined {
    return this.#all.size > 0 ? [...this.#all.values()] : undefined
  }
}
