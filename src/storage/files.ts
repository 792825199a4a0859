import type { Files } from '../contract/files.ts'
import { urlLifetimeMs } from './settings.ts'
import type { StorageRegistry } from './registry.ts'

/** Creates the access to uploads in all storages. Each file is visible only to its own API key. */
export function createFiles(registry: StorageRegistry, now: () => number): Files {
  return {
    schemes: registry.names,
    owns: (path) => registry.owns(path),
    async open(path, caller) {
      const { storage, file } = registry.find(path, caller)
      const opened = await storage.open(file)
      // A reader gets the error as well. An unread stream must not end the process by its error.
      opened.stream.on('error', () => {})
      return opened
    },
    async urlFor(path, caller) {
      const { storage, file } = registry.find(path, caller)
      return storage.isPublic ? storage.visit(file, now() + urlLifetimeMs) : undefined
    },
  }
}
