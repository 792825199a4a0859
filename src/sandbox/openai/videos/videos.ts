import { type JsonObject, textOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { badRequest } from '../../problem.ts'
import { readDirectives } from '../../steering/read-directives.ts'
import { pollVideoJob, progressOf } from '../../video/video-job.ts'
import { videoNotFound } from '../not-found.ts'
import { pageOf } from '../paging.ts'
import { openai } from '../provider.ts'
import { checkRemix, checkVideo } from './check-request.ts'
import { getVideoContent } from './content.ts'
import { findVideo, createVideo, renderVideo } from './store.ts'

const all = /^\/v1\/videos$/
const one = /^\/v1\/videos\/(?<id>[^/]+)$/

/** `/v1/videos` and below, for the account that created the videos. */
export const videos: Endpoint[] = [
  { provider: openai, method: 'POST', path: all, hasBody: true, form: {}, answer: create },
  { provider: openai, method: 'GET', path: all, hasBody: false, answer: list },
  { provider: openai, method: 'GET', path: one, hasBody: false, answer: retrieve },
  { provider: openai, method: 'DELETE', path: one, hasBody: false, answer: remove },
  {
    provider: openai,
    method: 'POST',
    path: /^\/v1\/videos\/(?<id>[^/]+)\/remix$/,
    hasBody: true,
    form: {},
    answer: remix,
  },
  {
    provider: openai,
    method: 'GET',
    path: /^\/v1\/videos\/(?<id>[^/]+)\/content$/,
    hasBody: false,
    answer: getVideoContent,
  },
]

function create({ account, body, form, directives }: Call): Reply {
  const size = textOf(body['size']) || '720x1280'
  checkVideo(body, form, size)
  const order = {
    model: textOf(body['model']) || 'sora-2',
    prompt: textOf(body['prompt']),
    seconds: textOf(body['seconds']) || '4',
    size,
    remixedFrom: undefined,
  }
  return render(renderVideo(createVideo(account, order, directives)))
}

function remix(call: Call): Reply {
  const { account, body, form, directives } = call
  checkRemix(body, form)
  const source = find(call)
  if (progressOf(source.job).status !== 'completed')
    throw badRequest(`Video '${source.id}' must be completed before it can be remixed.`)
  const order = { ...source, prompt: textOf(body['prompt']), remixedFrom: source.id }
  const inherited = readDirectives(source.model, undefined, account.id)
  return render(renderVideo(createVideo(account, order, { ...inherited, ...directives })))
}

function retrieve(call: Call): Reply {
  const video = find(call)
  pollVideoJob(video.job)
  return render(renderVideo(video))
}

// Like OpenAI, the sandbox suggests a polling interval to the SDK's helper.
function render(json: JsonObject): Reply {
  const isUnfinished = ['queued', 'in_progress'].includes(textOf(json['status']))
  return { json, headers: isUnfinished ? { 'openai-poll-after-ms': '100' } : {} }
}

function list({ account, query }: Call): Reply {
  return { json: pageOf([...account.videos.values()].map(renderVideo), query, videoNotFound) }
}

function remove(call: Call): Reply {
  const { id } = find(call)
  call.account.videos.delete(id)
  return { json: { id, object: 'video.deleted', deleted: true } }
}

function find({ account, params }: Call) {
  return findVideo(account, params['id'] ?? '')
}
