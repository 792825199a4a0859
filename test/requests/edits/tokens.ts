import { unownedSignature, wrapSignature } from '../../../src/generate/signatures.ts'

/** What a client got in place of a signature that another dialect's account made. */
export const foreign = wrapSignature({ dialect: 'another', value: 'theirs' })

/** One that says nothing, and two that nobody can read. */
export const others = [unownedSignature, 'gw1.', 'gw1.bm90IEpTT04']

/** A signature of the client's own dialect that went through another one. */
export function homecoming(dialect: string, value: string, id?: string): string {
  return wrapSignature({ dialect, value, ...(id !== undefined && { id }) })
}
