import Anthropic from 'anthropic-1'
import { GoogleGenAI } from 'genai-3'
import OpenAI from 'openai-7'
import type { Sandbox } from '../../src/sandbox/index.ts'

/** The official clients of one account. Their own retries are off, so that failures show. */
export function clientsOf({ url }: Sandbox, apiKey = 'sandbox-key-a') {
  return {
    openai: new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey, baseURL: url, maxRetries: 0 }),
    genai: new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } }),
  }
}
