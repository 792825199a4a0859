import { GoogleGenAI as GenAI1 } from 'genai-1'
import { GoogleGenAI as GenAI2 } from 'genai-2'
import { GoogleGenAI as GenAI3 } from 'genai-3'
import type { Sandbox } from '../../src/sandbox/index.ts'

/** Google's clients of account `a`. Only those before the third version make videos as developers. */
export function developersOf({ url }: Sandbox, apiKey = 'sandbox-key-a') {
  const options = { apiKey, httpOptions: { baseUrl: url } }
  return { genai1: new GenAI1(options), genai2: new GenAI2(options) }
}

/** The client that works as an enterprise does, with a key and without a project. */
export function enterpriseOf({ url }: Sandbox, apiKey = 'sandbox-key-a') {
  return new GenAI3({ apiKey, enterprise: true, httpOptions: { baseUrl: url } })
}

/** A request as Google takes it, with the key of account `a` or another one. */
export async function askGoogle(
  { url }: Sandbox,
  path: string,
  { body, key = 'sandbox-key-a', steer = '' }: { body?: object; key?: string; steer?: string } = {},
) {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      'x-goog-api-key': key,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(steer ? { 'x-sandbox': steer } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const type = response.headers.get('content-type') ?? ''
  const json = type.includes('json') ? ((await response.json()) as OperationAnswer) : {}
  return { ...json, status: response.status, raw: response }
}

/** The members that tests look at. */
export type OperationAnswer = {
  name?: string
  done?: boolean
  error?: { code: number; message: string; status?: string }
  response?: {
    generateVideoResponse?: {
      generatedSamples?: { video: { uri?: string; encodedVideo?: string; encoding?: string } }[]
      raiMediaFilteredCount?: number
      raiMediaFilteredReasons?: string[]
    }
    videos?: { gcsUri?: string; bytesBase64Encoded?: string; mimeType: string }[]
    raiMediaFilteredCount?: number
  }
}

/** Orders a video of the model and asks until it is there. */
export async function finishOperation(sandbox: Sandbox, model: string, parameters: object = {}) {
  const body = { instances: [{ prompt: 'a cat' }], parameters }
  const { name = '' } = await askGoogle(sandbox, `/v1beta/models/${model}:predictLongRunning`, {
    body,
  })
  for (let poll = 0; poll < 20; poll++) {
    const answer = await askGoogle(sandbox, `/v1beta/${encodeURI(name)}`)
    if (answer.done) return answer
  }
  throw new Error(`${name} does not end`)
}
