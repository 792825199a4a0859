import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../src/testing/gateway.ts'

/** What `POST /v1/files/upload_url` answers. */
export interface Descriptor {
  readonly upload_url: string
  readonly method: string
  readonly path: string
  readonly visit_url: string
  readonly headers?: Record<string, string>
}

export interface Service extends AsyncDisposable {
  readonly gateway: TestGateway
  /** Where the gateway's own storage keeps its files. */
  readonly directory: string
  /** Asks for a URL, as the holder of a key. */
  ask(body: object, key?: string): Promise<Response>
  /** The same, for what is to succeed. */
  issue(body: object, key?: string): Promise<Descriptor>
  /** The files on the disk: complete ones, and others. */
  onDisk(): Promise<{ complete: number; incoming: number }>
}

/** A gateway of two keys that keeps uploads in a directory of its own. */
export async function startService(options: TestGatewayOptions = {}): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), 'uploads-'))
  const gateway = await createTestGateway({
    keys: [
      { id: 'alice', secret: 'key-of-alice' },
      { id: 'bob', secret: 'key-of-bob' },
    ],
    ...options,
    uploads: { directory, ...options.uploads },
  })

  const ask = (body: object, key = 'key-of-alice') =>
    fetch(`${gateway.url}/v1/files/upload_url`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  return {
    gateway,
    directory,
    ask,
    async issue(body, key) {
      const response = await ask(body, key)
      if (response.status !== 200) throw new Error(await response.text())
      return (await response.json()) as Descriptor
    },
    async onDisk() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      const incoming = files.filter((file) => file.parentPath.endsWith('incoming')).length
      return { complete: files.length - incoming, incoming }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Sends a file to a signed URL as a client does that knows the contract alone. */
export function put(url: string, body: Buffer | string, headers: Record<string, string> = {}) {
  // Of a string `fetch` says by itself that it is plain text.
  return fetch(url, { method: 'PUT', body: Buffer.from(body), headers })
}

/** The general envelope, as far as its status and string code. */
export async function refusal(response: Response): Promise<[status: number, code: string]> {
  const { error } = (await response.json()) as {
    error: { code: number; message: string; details: { code: string }[] }
  }
  if (error.code !== response.status || typeof error.message !== 'string') {
    throw new Error(`This is no envelope: ${JSON.stringify(error)}`)
  }
  return [response.status, error.details[0]?.code ?? '']
}
