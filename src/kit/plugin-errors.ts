/** Errors that plugins made of replies. They live as long as somebody tells of them. */
const own = new WeakSet<object>()

/** Whether an error, or an event that tells of one, is the work of a plugin and no account's. */
export function isPluginError(error: object): boolean {
  return own.has(error)
}

/** Marks an error that a plugin made: no account told it. */
export function markPluginError(error: object): void {
  own.add(error)
}
