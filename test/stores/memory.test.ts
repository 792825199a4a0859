import { openMemoryStore } from '../../src/stores/memory.ts'
import { storeContract } from './contract.ts'

storeContract(async () => {
  const store = openMemoryStore()
  return { store, [Symbol.asyncDispose]: () => store.close() }
})
