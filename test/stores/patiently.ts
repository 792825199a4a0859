import { StoreUnavailable } from '../../src/stores/store.ts'

/** Does some work on a store again while a busy machine exceeds the store's deadline. */
export async function patiently<T>(work: () => Promise<T>, retries = 20): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (retries === 0 || !(error instanceof StoreUnavailable)) throw error
    return patiently(work, retries - 1)
  }
}
