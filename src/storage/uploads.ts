import { resolve } from 'node:path'

import type { Caller } from '../exchange.ts'
import type { Files } from '../files.ts'
import { createPublicUrl, type PublicUrl } from '../public-url.ts'
import type { Store } from '../stores/store.ts'
import { createFiles } from './files.ts'
import { createLocalStorage, type LocalStorage } from './local/storage.ts'
import { createS3Storage } from './s3/storage.ts'
import { defaultUploads, localName, type UploadsSetting } from './settings.ts'
import { createSigner } from './signer.ts'
import { createShelf } from './shelf.ts'
import type { Storage } from './storage.ts'
import { type Descriptor, issueUpload, type UploadRequest } from './issue.ts'

export interface UploadsOptions {
  /** Absent: the gateway's own storage alone. */
  readonly settings?: UploadsSetting
  /** Absent: URLs of the gateway's own storage cannot be given out. */
  readonly publicUrl?: PublicUrl
  /** Where a relative directory begins. */
  readonly cwd?: string
  /** Of the gateway's own storage: the longest silence of a sender, in milliseconds. */
  readonly silenceMs?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** What uploads need from where they are used. */
export interface UploadsSurroundings extends UploadsOptions {
  readonly store: Pick<Store, 'records'>
  /** Storages that plugins add. */
  readonly storages?: readonly Storage[]
}

/** Uploads of clients, and the files that come of them. */
export interface Uploads {
  /** For other operations. */
  readonly files: Files
  /** URLs for a file that the caller wants to upload. Throws `GatewayError`. */
  issue(request: UploadRequest, caller: Caller): Promise<Descriptor>
  /** The gateway's own storage of a name. */
  local(name: string): LocalStorage | undefined
}

/** Puts the storages together; nothing is opened, read or signed before somebody asks. */
export function createUploads(surroundings: UploadsSurroundings): Uploads {
  const { settings = defaultUploads, now = Date.now, storages = [] } = surroundings
  const { directory } = settings
  const own = directory === undefined ? [] : [openLocal(surroundings, settings, directory)]
  const family = settings.storages.map((setting) => createS3Storage(setting, { now }))
  const shelf = createShelf([...own, ...family, ...storages])
  return {
    files: createFiles(shelf, now),
    issue: (request, caller) => issueUpload(request, { caller, shelf, settings, now }),
    local: (name) => own.find((storage) => storage.name === name),
  }
}

function openLocal(
  {
    store,
    publicUrl = createPublicUrl(),
    cwd = '.',
    silenceMs = 60_000,
    now = Date.now,
  }: UploadsSurroundings,
  { secret, types }: UploadsSetting,
  directory: string,
): LocalStorage {
  return createLocalStorage({
    name: localName,
    directory: resolve(cwd, directory),
    signer: createSigner({ secret, records: store.records('secrets'), purpose: 'uploads' }),
    publicUrl,
    used: store.records('used-uploads'),
    types,
    silenceMs,
    now,
  })
}
