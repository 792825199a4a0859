/**
 * Loads a package that the gateway does not bring, because few need it and it is large. Rejects with the
 * command that installs it.
 */
export async function loadOptional(name: string, version: string): Promise<unknown> {
  try {
    return await import(name)
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(`install ${name} beside the gateway: npm install ${name}@${version}`, {
      cause: error,
    })
  }
}
