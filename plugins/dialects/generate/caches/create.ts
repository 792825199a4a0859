import type { Routed } from '../../../../src/contract/exchange.ts'
import { type TurnsInBody, defineOperation } from '../../../../src/contract/operation.ts'
import { orderJob } from '../../../../src/jobs/job.ts'
import { type StoredObject, isUsableId, newObject } from '../../../../src/jobs/objects.ts'
import {
  checkArray,
  checkString,
  checkStringOrObject,
  requireString,
} from '../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectAt, stringAt, tokensAt } from '../../../../src/lib/json/read.ts'
import { secondsOf } from '../../../../src/lib/time.ts'
import { createNativeRequest } from '../../../../src/upstream/native.ts'
import { embeddingUsage } from '../../shared/embedding-inputs.ts'
import { planCreation } from '../../shared/stored-objects.ts'
import { generateCodec } from '../codec/index.ts'
import { generateEdits } from '../edits.ts'
import {
  type CachesDependencies,
  cacheFamily,
  cachesPath,
  describedCache,
  showCache,
} from './family.ts'
import { cacheRequestSchema, cacheSchema } from './schema.ts'

const modelPrefix = 'models/'

/** Defines `POST /v1beta/cachedContents`. */
export function createCache({ objects, now }: CachesDependencies) {
  return defineOperation({
    id: 'cached-contents.create',
    method: 'POST',
    paths: [cachesPath],
    auth: 'key',
    capability: 'cache-content',
    summary: 'Have an account keep contents for later requests',
    schema: { request: cacheRequestSchema, reply: cacheSchema },
    turns,
    understand(_exchange, body) {
      const { json, members } = body
      const model = requireString(json, 'model')
      checkArray(json, 'contents')
      for (const name of ['systemInstruction', 'system_instruction'])
        checkStringOrObject(json, name)
      for (const name of ['ttl', 'expireTime', 'expire_time']) checkString(json, name)
      const prefix = model.startsWith(modelPrefix) ? modelPrefix : ''
      return {
        ...orderJob,
        model: model.slice(prefix.length),
        modelAt: members.get('model'),
        modelPrefix: prefix,
        edits: generateEdits(body),
      }
    },
    least: { body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] } },
    forward: {
      billed: 'reply',
      async plan(exchange) {
        const path = cacheFamily.folder.slice(0, -1)
        return planCreation(createNativeRequest(exchange, { path }), objects, (json) => {
          const object = created(exchange, json, now())
          if (!object) return undefined
          const tokens = tokensAt(objectAt(json, 'usageMetadata'), 'totalTokenCount')
          const usage = embeddingUsage(tokens)
          const discloses = [{ kind: 'cache', id: cacheFamily.prefix + object.upstreamId }] as const
          const outcome = { discloses, ...(usage && { usage }) }
          return { object, shown: showCache(object), outcome }
        })
      },
    },
  })
}

/** The cache that an account has created. */
function created(exchange: Routed, json: unknown, now: number): StoredObject | undefined {
  const { prefix, kind } = cacheFamily
  const name = stringAt(json, 'name')
  const upstreamId = name?.startsWith(prefix) ? name.slice(prefix.length) : undefined
  if (!isUsableId(upstreamId)) return undefined
  const expiresAt = secondsOf(stringAt(json, 'expireTime'))
  const shown = describedCache(json, modelPrefix + exchange.model.requested)
  return newObject(exchange, exchange.candidate, { kind, upstreamId, shown, expiresAt }, now)
}

/** Plugins read and change the contents and the instruction, which later requests do not repeat. */
const turns: TurnsInBody = {
  decode(json) {
    const { contents = [], systemInstruction, system_instruction } = json
    const body: JsonObject = {
      contents,
      ...(systemInstruction !== undefined && { systemInstruction }),
      ...(system_instruction !== undefined && { system_instruction }),
    }
    return generateCodec.decodeRequest({ body, stream: false, query: '', headers: {} })
  },
  encode(list) {
    const request = { stream: false, turns: list, tools: [], sampling: {}, fields: {}, extras: [] }
    const { contents, systemInstruction } = generateCodec.encodeRequest(
      request,
      'gemini-3',
      () => {},
    ).body
    return {
      contents,
      ...(systemInstruction !== undefined && { systemInstruction }),
    }
  },
}
