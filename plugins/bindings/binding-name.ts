import type { BindingName } from '../../src/stores/bindings.ts'

/**
 * The longest id of a resource, in characters. The store hashes a long one at every look-up, and an id may be as long as
 * a body.
 */
const longestId = 1024 * 1024

/** Whether a resource can have a binding. One with a longer id is unknown. */
export function canBind({ id }: { id: string }): boolean {
  return id.length <= longestId
}

/** The name of a resource's binding in the store. It contains the id of the API key. */
export function bindingNameOf(
  keyId: string,
  { kind, id }: { kind: string; id: string },
): BindingName {
  return { kind, keyId, id }
}
