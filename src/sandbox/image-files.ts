import type { Account } from './accounts.ts'
import { newId } from './ids.ts'
import type { ImageFile } from './stored.ts'

const lifetimeMs = 60 * 60 * 1000

/** Stores an image and returns the path that serves it for an hour. */
export function publishImage(account: Account, bytes: Buffer, type: string): string {
  const id = newId('img-')
  account.images.put(id, { bytes, type, expiresAt: Date.now() + lifetimeMs }, bytes.length)
  return `/sandbox-images/${id}`
}

/** The image at a path; undefined for an unknown path and an expired image. */
export function findImageFile(accounts: Account[], path: string): ImageFile | undefined {
  const [, id = ''] = /^\/sandbox-images\/([^/]+)$/.exec(path) ?? []
  const image = accounts.map((account) => account.images.get(id)).find(Boolean)
  return image && image.expiresAt > Date.now() ? image : undefined
}
