import type { Account } from './accounts.ts'
import { newId } from './ids.ts'
import type { ImageFile } from './stored.ts'

const lifetime = 60 * 60 * 1000

/** Keeps an image and returns the path under which it can be fetched for an hour. */
export function publishImage(account: Account, bytes: Buffer, type: string): string {
  const id = newId('img-')
  account.images.put(id, { bytes, type, expiresAt: Date.now() + lifetime }, bytes.length)
  return `/sandbox-images/${id}`
}

/** Undefined for a path that is no image, or none any more. */
export function findImageFile(accounts: Account[], path: string): ImageFile | undefined {
  const [, id = ''] = /^\/sandbox-images\/([^/]+)$/.exec(path) ?? []
  const image = accounts.map((account) => account.images.get(id)).find(Boolean)
  return image && image.expiresAt > Date.now() ? image : undefined
}
