import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../../src/kit/credential.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Identified } from '../../../src/contract/exchange.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { storedPattern } from '../../../src/storage/local/urls.ts'
import type { Uploads } from '../../../src/storage/uploads.ts'
import { readUploadRequest } from './request.ts'
import { replySchema, requestSchema } from './schema.ts'

/**
 * `POST /v1/files/upload_url`: a URL to which a client sends a file, and a path by which it names the
 * file in other operations. The URLs of the gateway's own storage are answered here as well.
 */
export function uploads({ uploads: service }: { uploads: Uploads }): GatewayPlugin {
  const create = defineOperation({
    id: 'uploads.create',
    method: 'POST',
    paths: ['/v1/files/upload_url'],
    auth: 'key',
    reads: 'json',
    summary: 'Get a pre-signed URL for an upload',
    schema: { request: requestSchema, reply: replySchema },
    async serve(exchange, { json }) {
      const { caller } = exchange as Authenticated
      return created(await service.issue(readUploadRequest(json), caller))
    },
  })

  const answer = (method: 'GET' | 'PUT') => (exchange: Authenticated | Identified) => {
    const { storage = '', owner = '', path = '' } = exchange.params
    const own = service.local(storage)
    if (!own) throw new GatewayError('not_found', 'There is no such file.')
    return own.answer({ method, owner, path, query: exchange.request.query }, exchange)
  }

  const receive = defineOperation({
    id: 'uploads.receive',
    method: 'PUT',
    paths: [storedPattern],
    auth: 'signature',
    body: 'none',
    summary: 'Upload a file by its signed URL',
    replies: [],
    status: 201,
    serve: answer('PUT'),
  })

  const visit = defineOperation({
    id: 'uploads.visit',
    method: 'GET',
    paths: [storedPattern],
    auth: 'signature',
    summary: 'Read an uploaded or generated file by its signed URL',
    replies: ['*/*'],
    serve: answer('GET'),
  })

  const dialect = defineDialect({
    id: 'uploads',
    title: 'Uploads',
    credential: (request) => firstCredential(request, [bearer, xApiKey, xGoogApiKey]),
    error: errorEnvelope,
    operations: [create, receive, visit],
  })
  return definePlugin({
    name: 'uploads',
    dialects: [dialect],
    files: service.files,
    onDispose: () => service.close(),
  })
}

/** The URLs in it are as good as the files: no cache may keep them. */
function created(descriptor: object): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(descriptor),
  }
}
