import { APIError } from 'openai-7'

import type { Problem } from '../conversation.ts'

/** What the SDK of OpenAI raised. */
export function openaiProblem(error: unknown): Problem {
  if (!(error instanceof APIError)) throw error
  const { status, message, param } = error
  return { raised: error.constructor.name, status, message, field: param ?? undefined }
}
