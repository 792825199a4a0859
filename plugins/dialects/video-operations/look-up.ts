import { requireString, wrong } from '../../../src/checks.ts'
import { type Asking, defineOperation } from '../../../src/dialect.ts'
import type { Call, Reply, Understood } from '../../../src/exchange.ts'
import { wholeContent } from '../../../src/jobs/content.ts'
import type { Job } from '../../../src/jobs/job.ts'
import { look } from '../../../src/jobs/look.ts'
import { ownJob } from '../../../src/jobs/owner.ts'
import { noOperation } from './errors.ts'
import { isNamed, type OperationName, parseName } from './names.ts'
import type { OperationsParts } from './parts.ts'
import { showOperation } from './reply.ts'
import { fetchSchema, operationSchema } from './schema.ts'
import { uriBase } from './uris.ts'

const version = '/{version:v1beta|v1|v1alpha|v1beta1}'
const project = '/projects/{project}/locations/{location}'

/** What can stand before an operation (facts/Gemini 3.2). */
const places = [
  project,
  '/models/{model+}',
  '/publishers/{publisher}/models/{model+}',
  `${project}/models/{model+}`,
  `${project}/publishers/{publisher}/models/{model+}`,
]

/** Whoever owns the operation may ask for it, whatever models it may use by now. */
export const byId: Call = { model: '', stream: false, refersTo: [], edits: [], losses: [] }

export function getOperation(parts: OperationsParts) {
  return defineOperation({
    id: 'operations.get',
    method: 'GET',
    paths: ['', ...places].map((place) => `${version}${place}/operations/{id}`),
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    summary: 'Tell how an operation stands, by any form of its name',
    schema: { reply: operationSchema },
    understand: () => byId,
    perform: (exchange, _send, asking) =>
      answer(exchange, [nameIn(exchange)], { ...parts, asking, enterprise: false }),
  })
}

/** How clients in enterprise mode ask: the name stands in the body. */
export function fetchOperation(parts: OperationsParts) {
  return defineOperation({
    id: 'operations.fetch',
    method: 'POST',
    paths: [
      ...places.map((place) => `${version}${place}:fetchPredictOperation`),
      ...['', ...places].map((place) => `${version}${place}/operations/{id}:fetchPredictOperation`),
    ],
    auth: 'key',
    capability: 'video-job',
    summary: 'Tell how an operation stands, by its name in the body',
    schema: { request: fetchSchema, reply: operationSchema },
    understand(_exchange, { json }) {
      if (!parseName(requireString(json, 'operationName'))) {
        throw wrong('operationName', 'the name of an operation')
      }
      return byId
    },
    perform(exchange, _send, asking) {
      const name = parseName(exchange.body.json['operationName'] as string)
      if (!name) throw noOperation()
      const names = [name, { ...nameIn(exchange), id: exchange.params['id'] ?? name.id }]
      return answer(exchange, names, { ...parts, asking, enterprise: true })
    },
  })
}

function nameIn({ params }: Understood): OperationName {
  const { id = '', version: _, ...place } = params
  return { id, ...place }
}

interface AnswerOptions extends OperationsParts {
  readonly asking: Asking
  readonly enterprise: boolean
}

/** All that the names say has to be so. */
async function answer(
  exchange: Understood,
  names: readonly OperationName[],
  options: AnswerOptions,
): Promise<Reply> {
  const { enterprise } = options
  const known = await ownJob(exchange, options.jobs, names[0]?.id ?? '', noOperation)
  if (!names.every((name) => name.id === known.id && isNamed(known, name))) throw noOperation()
  const { job, stale } = await look(exchange, known, { ...options, notFound: noOperation })
  const contents = await contentsOf(exchange, job, options)
  const base = uriBase(exchange.request, options.address())
  const uriOf = (file: string) => `${base}/v1beta/files/${file}:download?alt=media`
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      ...(stale && { 'x-dragoman-stale': 'true' }),
    },
    body: JSON.stringify(showOperation({ job, uriOf, contents, enterprise })),
  }
}

/** More than this is downloaded by its URI. Bytes of all videos of an operation. */
const mostContent = 32 * 1024 * 1024

/**
 * Clients in enterprise mode have no call that downloads, so they are told the content itself; others
 * where the account does so.
 */
async function contentsOf(
  exchange: Understood,
  job: Job,
  { asking, enterprise }: AnswerOptions,
): Promise<(string | undefined)[]> {
  const contents: (string | undefined)[] = []
  let limit = mostContent
  for (const [index, { inline }] of (job.samples ?? []).entries()) {
    if (!inline && !enterprise) continue
    const bytes = await wholeContent(exchange, job, index, { asking, limit })
    limit -= bytes?.length ?? 0
    contents[index] = bytes?.toString('base64')
  }
  return contents
}
