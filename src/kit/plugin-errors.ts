const pluginErrors = new WeakSet<object>()

/** Whether a plugin, rather than an account, made an error or an error event. */
export function isPluginError(error: object): boolean {
  return pluginErrors.has(error)
}

/** Marks an error or an error event that a plugin made. */
export function markPluginError(error: object): void {
  pluginErrors.add(error)
}
