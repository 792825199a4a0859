import type { Reply } from '../../contract/outcome.ts'
import type { PublicUrl } from '../../kit/public-url.ts'
import type { Records } from '../../stores/store.ts'
import type { LeastPace } from '../../kit/body-limits.ts'
import { diskFailed, lookupFailed, unknownFile } from '../failures.ts'
import { isPublicUrl } from '../is-public-url.ts'
import type { Signer } from '../signer.ts'
import type { FileName, Storage } from '../../contract/storage.ts'
import { type OpenFile, createDisk } from './disk.ts'
import { type ServedExchange, fileContentOf, serveFile } from './serve-file.ts'
import { receiveUpload } from './receive.ts'
import { type SignedRequest, type VerifiedGrant, createLocalUrls } from './urls.ts'

/** The gateway's own storage, and the endpoint of its URLs. */
export interface LocalStorage extends Storage {
  /** Handles a request to a signed URL and counts its bytes. Rejects with `GatewayError`. */
  answer(request: SignedRequest, exchange: ServedExchange): Promise<Reply>
}

/** The options of the local storage. */
interface LocalOptions {
  readonly name: string
  /** Replicas must share it. */
  readonly directory: string
  readonly signer: Signer
  readonly publicUrl: PublicUrl
  /** The records of used single-use URLs. */
  readonly used: Pick<Records<true>, 'add'>
  /** The accepted media types, also as `image/*`. Absent: all. */
  readonly types: readonly string[] | undefined
  /** The least speed of a client that sends a file. */
  readonly pace: LeastPace
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly openFile?: OpenFile | undefined
}

/** Creates a storage in a directory, which it does not access before the first file. */
export function createLocalStorage(options: LocalOptions): LocalStorage {
  const { name, publicUrl, used, now } = options
  const disk = createDisk(options)
  const urls = createLocalUrls(options)

  const openFile = async ({ owner, path }: Pick<FileName, 'owner' | 'path'>) => {
    const file = await disk.open(owner, path).catch(diskFailed)
    if (!file) throw unknownFile()
    return file
  }

  const firstUse = ({ signature, expiresAt }: VerifiedGrant) =>
    used.add(signature, true, { ttlMs: Math.max(1, expiresAt - now()) }).catch(lookupFailed)

  return {
    name,
    places: [{ region: undefined, root: '' }],
    inspects: true,
    isPublic: publicUrl.configured !== undefined && isPublicUrl(publicUrl.configured),
    async upload(file, { expiresAt, maxBytes, size = maxBytes, type, overwrite }, request) {
      const { owner, path } = file
      const grant = { owner, path, expiresAt, maxBytes: size, type, overwrite }
      const url = await urls.sign({ ...grant, method: 'PUT' }, request)
      return type === undefined ? { url } : { url, headers: { 'content-type': type } }
    },
    visit: ({ owner, path }, expiresAt, request) =>
      urls.sign({ method: 'GET', owner, path, expiresAt }, request),
    async open(name) {
      const file = await openFile(name)
      return { stream: fileContentOf(file), size: file.size, type: file.type }
    },
    async answer(signedRequest, { request, progress }) {
      const exchange = { request, progress }
      const grant = await urls.verify(signedRequest)
      if (grant.method === 'GET') return serveFile(await openFile(grant), exchange)
      await receiveUpload(grant, exchange, { ...options, disk, firstUse }).catch(diskFailed)
      return { status: 201, headers: {}, body: null }
    },
  }
}
