import { GoogleGenAI as GenAI1 } from 'genai-1'
import { GoogleGenAI as GenAI2 } from 'genai-2'
import { GoogleGenAI as GenAI3 } from 'genai-3'

import { type VideoAccount, type VideoStage, videoStage } from '../videos/stage.ts'
import type { TestGatewayOptions } from '../../../src/testing/gateway.ts'

type Options = Omit<TestGatewayOptions, 'accounts'> & { readonly accounts?: VideoAccount[] }

/** A gateway whose one account speaks video operations, unless a test says otherwise. */
export function operationStage(options: Options = {}): Promise<VideoStage> {
  return videoStage({ accounts: [{ id: 'a', speaks: ['video-operations'] }], ...options })
}

/** Google's clients in developer mode; only those before the third version make videos in it. */
export function developersOf({ gateway }: VideoStage, apiKey = gateway.key) {
  const options = { apiKey, httpOptions: { baseUrl: gateway.url } }
  return { '1': new GenAI1(options), '2': new GenAI2(options) }
}

/** The client in enterprise mode, with a key and without a project. */
export function enterpriseOf({ gateway }: VideoStage) {
  const options = { apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } }
  return new GenAI3({ ...options, enterprise: true })
}

/** What tests look at in an answer. */
export interface OperationAnswer {
  readonly status: number
  readonly raw: Response
  readonly name: string
  readonly done?: boolean
  readonly error?: { code: number; message: string; status?: string; details: unknown[] }
  readonly response?: {
    generatedVideos: { uri: string; videoBytes?: string; mimeType: string; createTime: string }[]
    generateVideoResponse: {
      generatedSamples: {
        video: { uri: string; encodedVideo?: string; encoding: string }
        encoding: string
      }[]
      raiMediaFilteredCount?: number
      raiMediaFilteredReasons?: string[]
    }
    videos?: { gcsUri: string; bytesBase64Encoded?: string; mimeType: string }[]
  }
}

/** Asks as Google's clients do, with the key in their header. */
export async function askOperation(
  { gateway }: VideoStage,
  path: string,
  { body, key = gateway.key }: { body?: object; key?: string } = {},
): Promise<OperationAnswer> {
  const raw = await fetch(gateway.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const json = (await raw.json()) as OperationAnswer
  return { ...json, status: raw.status, raw }
}

/** Orders videos and returns the short name of the operation. */
export async function order(stage: VideoStage, model: string, parameters: object = {}) {
  const body = { instances: [{ prompt: 'a cat' }], parameters }
  const created = await askOperation(stage, `/v1beta/models/${model}:predictLongRunning`, { body })
  if (created.status !== 200) throw new Error(JSON.stringify(created))
  return created.name
}

/** Asks until the operation is done. */
export async function done(stage: VideoStage, name: string): Promise<OperationAnswer> {
  for (;;) {
    const operation = await askOperation(stage, `/v1beta/${name}`)
    if (operation.done || operation.status !== 200) return operation
  }
}
