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
 * Returns the plugin that serves `POST /v1/files/upload_url`: it issues a URL for sending a file, and
 * a path that names the file in other operations. It also serves the URLs of the local storage.
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
      const { caller, request } = exchange as Authenticated
      return descriptorReply(await service.issue(readUploadRequest(json), caller, request))
    },
  })

  const serveLocal = (method: 'GET' | 'PUT') => (exchange: Authenticated | Identified) => {
    const { storage = '', owner = '', path = '' } = exchange.params
    const local = service.local(storage)
    if (!local) throw new GatewayError('not_found', 'There is no such file.')
    return local.answer({ method, owner, path, query: exchange.request.query }, exchange)
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
    serve: serveLocal('PUT'),
  })

  const visit = defineOperation({
    id: 'uploads.visit',
    method: 'GET',
    paths: [storedPattern],
    auth: 'signature',
    summary: 'Read an uploaded or generated file by its signed URL',
    replies: ['*/*'],
    serve: serveLocal('GET'),
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

/** The URLs grant access to the files, so no cache may store the reply. */
function descriptorReply(descriptor: object): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(descriptor),
  }
}
