import type { BindingName } from '../../src/stores/bindings.ts'

/** The name of a resource's binding in the store. It contains the id of the API key. */
export function bindingNameOf(
  keyId: string,
  { kind, id }: { kind: string; id: string },
): BindingName {
  return { kind, keyId, id }
}
