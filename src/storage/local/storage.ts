import type { Reply } from '../../contract/outcome.ts'
import type { PublicUrl } from '../../kit/public-url.ts'
import type { Records } from '../../stores/store.ts'
import { diskFailed, lookupFailed, unknownFile } from '../failures.ts'
import { isPublicUrl } from '../is-public-url.ts'
import type { Signer } from '../signer.ts'
import type { FileName, Storage } from '../../contract/storage.ts'
import { type OpenFile, createDisk } from './disk.ts'
import { type LocalReply, fileContentOf, visit } from './visit.ts'
import { linger } from './read-patiently.ts'
import { receiveUpload } from './receive.ts'
import { type Presented, type Verified, createLocalUrls } from './urls.ts'

/** The gateway's own storage, and what answers at its URLs. */
export interface LocalStorage extends Storage {
  /** Answers a request to one of its URLs, and counts what goes in and out. Throws `GatewayError`. */
  answer(presented: Presented, exchange: LocalReply): Promise<Reply>
}

export interface LocalOptions {
  readonly name: string
  /** Shared by all replicas, where there are several. */
  readonly directory: string
  readonly signer: Signer
  readonly publicUrl: PublicUrl
  /** Where URLs are remembered that must not be used twice. */
  readonly used: Pick<Records<true>, 'add'>
  /** Media types and families (`image/*`) that are taken. Absent: all. */
  readonly types: readonly string[] | undefined
  /** The longest silence of a sender, in milliseconds. */
  readonly silenceMs: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly openFile?: OpenFile | undefined
}

/** A directory. Nothing is read or written there before the first file comes. */
export function createLocalStorage(options: LocalOptions): LocalStorage {
  const { name, publicUrl, used, now } = options
  const disk = createDisk(options)
  const urls = createLocalUrls(options)

  const openFile = async ({ owner, path }: Pick<FileName, 'owner' | 'path'>) => {
    const file = await disk.open(owner, path).catch(diskFailed)
    if (!file) throw unknownFile()
    return file
  }

  const firstUse = ({ signature, expiresAt }: Verified) =>
    used.add(signature, true, { ttlMs: Math.max(1, expiresAt - now()) }).catch(lookupFailed)

  return {
    name,
    places: [{ region: undefined, root: '' }],
    inspects: true,
    isPublic: publicUrl.configured !== undefined && isPublicUrl(publicUrl.configured),
    async upload({ owner, path }, { expiresAt, maxBytes, size = maxBytes, type, overwrite }) {
      const grant = { owner, path, expiresAt, maxBytes: size, type, overwrite }
      const url = await urls.write({ ...grant, method: 'PUT' })
      return type === undefined ? { url } : { url, headers: { 'content-type': type } }
    },
    visit: ({ owner, path }, expiresAt) => urls.write({ method: 'GET', owner, path, expiresAt }),
    async open(name) {
      const file = await openFile(name)
      return { stream: fileContentOf(file), size: file.size, type: file.type }
    },
    async answer(presented, { request, progress }) {
      try {
        const grant = await urls.read(presented)
        if (grant.method === 'GET') return await visit(await openFile(grant), { request, progress })
        await receiveUpload(grant, { request, progress }, { ...options, disk, firstUse }).catch(
          diskFailed,
        )
        return { status: 201, headers: {}, body: null }
      } finally {
        linger(request.stream)
      }
    },
  }
}
