import type { Ended } from '../contract/exchange.ts'
import type { Caller, RefusedKey } from '../contract/request.ts'

/** Whether a plugin knows a key and refuses it. */
export function isRefused(found: Caller | RefusedKey): found is RefusedKey {
  return (found as Partial<RefusedKey>).refused !== undefined
}

/** The id of the key of an exchange, for operators: also of a key that is known and was refused. */
export function knownKeyId({ caller, progress }: Ended): string | undefined {
  return caller?.keyId ?? progress.error?.refusedKey?.keyId
}
