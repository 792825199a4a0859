import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import { oddReplies, shapeViolation } from '../replies.ts'
import { type AccountKind, type ProbeStage, probeStage } from '../stage.ts'
import { operation, videoJob, videoList } from './video-shapes.ts'

/** What an account says of a job, and the paths of its fields. */
interface Report {
  readonly title: string
  readonly json: JsonObject
  readonly fields: readonly string[]
}

/** The accounts of a dialect, with the reply to a create. */
interface Reporter extends Pick<AccountKind, 'dialect' | 'provider'> {
  readonly created: JsonObject
  /** Its fields besides the name of the job. */
  readonly createdFields: readonly string[]
  readonly reports: readonly Report[]
}

const video = { id: 'vid_1', object: 'video', model: 'm', prompt: 'p', seconds: '4', size: '1x1' }

/** The clock of the account is not the gateway's. */
const times = { created_at: 1_790_000_000, completed_at: 1_790_000_100, expires_at: 4_000_000_000 }

const name = 'models/m/operations/1'

const samples = [{ video: { uri: 'files/one', encodedVideo: 'AAAA', encoding: 'video/mp4' } }]

const generateVideoResponse = {
  generatedSamples: samples,
  raiMediaFilteredCount: 1,
  raiMediaFilteredReasons: ['x'],
}

const deep = 'response.generateVideoResponse'

const reporters: readonly Reporter[] = [
  {
    dialect: 'videos',
    provider: 'openai',
    created: { ...video, ...times, status: 'queued', progress: 0 },
    createdFields: ['object', 'model', 'status', 'progress', 'seconds', 'size', 'completed_at'],
    reports: [
      {
        title: 'a running video',
        json: { ...video, ...times, status: 'in_progress', progress: 50 },
        fields: ['id', 'status', 'progress', 'seconds', 'size', 'created_at', 'further'],
      },
      {
        title: 'a completed video',
        json: { ...video, ...times, status: 'completed', remixed_from_video_id: null },
        fields: [
          'object',
          'model',
          'completed_at',
          'expires_at',
          'progress',
          'seconds',
          'size',
          'prompt',
          'remixed_from_video_id',
          'error',
        ],
      },
      {
        title: 'a failed video',
        json: { ...video, status: 'failed', error: { code: 'c', message: 'm', type: 't' } },
        fields: [
          'error',
          'error.code',
          'error.message',
          'error.type',
          'completed_at',
          'expires_at',
        ],
      },
    ],
  },
  {
    dialect: 'video-operations',
    provider: 'gemini',
    created: { name },
    createdFields: ['done', 'error', 'response', 'metadata'],
    reports: [
      {
        title: 'a running operation',
        json: { name, metadata: { progressPercent: 50 } },
        fields: ['name', 'done', 'error', 'metadata', 'metadata.progressPercent'],
      },
      {
        title: 'a finished operation',
        json: { name, done: true, response: { generateVideoResponse } },
        fields: [
          'done',
          'error',
          'response',
          'response.further',
          'response.videos',
          'response.generatedVideos',
          deep,
          `${deep}.generatedSamples`,
          `${deep}.generatedSamples[0]`,
          `${deep}.generatedSamples[0].video`,
          `${deep}.generatedSamples[0].video.uri`,
          `${deep}.generatedSamples[0].video.encodedVideo`,
          `${deep}.generatedSamples[0].video.encoding`,
          `${deep}.raiMediaFilteredCount`,
          `${deep}.raiMediaFilteredReasons`,
        ],
      },
      {
        title: 'a withheld operation',
        json: {
          name,
          done: true,
          response: { generateVideoResponse: { ...generateVideoResponse, generatedSamples: [] } },
        },
        fields: [`${deep}.raiMediaFilteredCount`, `${deep}.raiMediaFilteredReasons`],
      },
      {
        title: 'a failed operation',
        json: {
          name,
          done: true,
          error: { code: 13, message: 'm', status: 'INTERNAL', details: [{ a: 1 }] },
        },
        fields: ['error', 'error.code', 'error.message', 'error.details', 'error.status'],
      },
    ],
  },
]

/** What accounts report of videos, with each field odd. */
describe.each(reporters)('an account of $dialect', ({ dialect, provider, ...reporter }) => {
  /** The replies to the next create and look-ups. */
  const next = { created: reporter.created, state: {} as JsonObject }
  let stage: ProbeStage
  beforeAll(async () => {
    const answer: AccountKind['answer'] = (response, request) =>
      answerJson(request.method === 'POST' ? next.created : next.state)(response, request)
    stage = await probeStage(
      { dialect, provider, answer },
      { publicUrl: 'https://gateway.example' },
    )
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  async function ask(path: string, body?: JsonObject): Promise<{ status: number; json: unknown }> {
    const response = await fetch(stage.gateway.url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${stage.gateway.key}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: await response.json() }
  }

  /** Orders a video and returns its id. */
  async function order(): Promise<string> {
    const { status, json } = await ask('/v1/videos', { model: 'camera', prompt: 'a cat' })
    expect([status, json]).toMatchObject([200, {}])
    expect(shapeViolation(videoJob, json)).toBeUndefined()
    return (json as { id: string }).id
  }

  /** The violations in everything that clients of both dialects read about a job, twice. */
  async function violations(id: string): Promise<string[]> {
    const found: (string | undefined)[] = []
    const places = [
      [`/v1/videos/${id}`, videoJob],
      [`/v1beta/operations/${id.replace('video_', '')}`, operation],
      ['/v1/videos?limit=1', videoList],
    ] as const
    for (const [path, schema] of [...places, ...places.slice(0, 2)]) {
      const { status, json } = await ask(path)
      const violation = status === 200 ? shapeViolation(schema, json) : `status ${status}`
      found.push(violation && `${path}: ${violation}`)
    }
    return found.filter((one) => one !== undefined)
  }

  for (const { title, json, fields } of reporter.reports) {
    test.each(dailyRows(fields))(
      `${title} whose %s is odd is reported in the contract’s types`,
      async (field) => {
        const found: unknown[] = []
        for (const odd of oddReplies(json, field)) {
          next.state = odd.json
          for (const violation of await violations(await order()))
            found.push([odd.title, violation])
        }
        expect(found).toEqual([])
      },
    )
  }

  test.each(dailyRows(reporter.createdFields))(
    'an order whose reply has an odd %s is known, because it is paid',
    async (field) => {
      next.state = reporter.reports[0]?.json ?? {}
      for (const odd of oddReplies(reporter.created, field)) {
        next.created = odd.json
        expect([odd.title, await violations(await order())]).toEqual([odd.title, []])
      }
      next.created = reporter.created
    },
  )
})
