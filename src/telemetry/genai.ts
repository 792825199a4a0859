import type { DialectInfo, OperationInfo } from '../contract/dialect-info.ts'
import type { Ended } from '../contract/exchange.ts'

/**
 * The names of the semantic conventions for generative AI, as spans and metrics carry them. They are in
 * development, and the npm package of the conventions has only their former names, so they stand here.
 */
export const genAi = {
  operationName: 'gen_ai.operation.name',
  providerName: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  tokenType: 'gen_ai.token.type',
  errorType: 'error.type',
} as const

/** The values of `gen_ai.operation.name`. The conventions name the first five; the others are our own. */
export type OperationName =
  | 'chat'
  | 'embeddings'
  | 'generate_content'
  | 'text_completion'
  | 'fetch_response'
  | 'image_edit'
  | 'image_generation'
  | 'video_generation'
  | 'speech'
  | 'transcription'
  | 'audio_translation'
  | 'count_tokens'
  | 'compact'
  | 'moderation'
  | 'rerank'
  | 'cache_content'
  | 'realtime'
  | 'batch'

const ofDialect: Readonly<Record<string, OperationName>> = {
  generate: 'generate_content',
  completions: 'text_completion',
}

const ofCapability: Readonly<Record<string, OperationName>> = {
  'generate-image': 'image_generation',
  'edit-image': 'image_edit',
  video: 'video_generation',
  speak: 'speech',
  transcribe: 'transcription',
  'translate-audio': 'audio_translation',
  'count-tokens': 'count_tokens',
  compact: 'compact',
  embed: 'embeddings',
  moderate: 'moderation',
  rerank: 'rerank',
  'cache-content': 'cache_content',
  'realtime-response': 'realtime',
}

/**
 * The purpose of a request, in any dialect. `undefined` for one that asks no model for
 * anything, such as a probe, an upload or the deletion of a response. A `fetch_response` reports no usage:
 * an earlier call spent its tokens.
 */
export function operationNameOf(
  { method, capability = '' }: Pick<OperationInfo, 'method' | 'capability'>,
  dialect: Pick<DialectInfo, 'id'>,
): OperationName | undefined {
  if (capability === 'generate') return ofDialect[dialect.id] ?? 'chat'
  if (capability === 'stored-response') return method === 'GET' ? 'fetch_response' : undefined
  // The API of Vertex AI reads a job by POST.
  if (capability === 'video-job') return method === 'DELETE' ? undefined : 'fetch_response'
  return ofCapability[capability]
}

/** Whether a reply that is no JSON is a file: its bytes are no output of a model, and no stream of events. */
export function isDownload({ capability }: Pick<OperationInfo, 'capability'>): boolean {
  return capability === 'video-job' || capability === 'stored-file'
}

/** Whether the reply of an exchange is a stream of a model's output. */
export function isStreamed({
  operation,
  progress,
}: Pick<Ended, 'operation' | 'progress'>): boolean {
  return progress.streamed && !(operation && isDownload(operation))
}
