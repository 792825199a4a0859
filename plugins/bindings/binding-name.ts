import type { BindingName } from '../../src/stores/bindings.ts'

/** What a key's resource is called in the store. */
export function bindingNameOf(
  keyId: string,
  { kind, id }: { kind: string; id: string },
): BindingName {
  return { kind, keyId, id }
}
