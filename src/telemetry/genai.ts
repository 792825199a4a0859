import type { DialectInfo, OperationInfo } from '../contract/dialect-info.ts'

/**
 * The names of the semantic conventions for generative AI, as spans and metrics carry them. They are in
 * development, and the npm package of the conventions has only their former names, so they stand here.
 * Spans have the latest names; those of metrics depend on the generation (`semconvOf`).
 */
export const genAi = {
  operationName: 'gen_ai.operation.name',
  providerName: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  tokenType: 'gen_ai.token.type',
  tokenModality: 'gen_ai.token.modality',
  errorType: 'error.type',
} as const

/**
 * The generation of names: `stable` are those that dashboards and other gateways use (conventions up to
 * v1.41), `latest` those of the repository `semantic-conventions-genai`.
 */
export type Semconv = 'stable' | 'latest'

/** The entry of `OTEL_SEMCONV_STABILITY_OPT_IN` that asks for the latest names. */
const optIn = 'gen_ai_latest_experimental'

/** The generation that the configuration names, otherwise that of `OTEL_SEMCONV_STABILITY_OPT_IN`. */
export function semconvOf(
  configured: Semconv | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Semconv {
  if (configured) return configured
  const wanted = env['OTEL_SEMCONV_STABILITY_OPT_IN'] ?? ''
  return wanted.split(',').some((entry) => entry.trim() === optIn) ? 'latest' : 'stable'
}

/** The values of `gen_ai.operation.name`. The conventions name the first three; the others are our own. */
export type OperationName =
  | 'chat'
  | 'generate_content'
  | 'fetch_response'
  | 'image_edit'
  | 'image_generation'
  | 'video_generation'
  | 'count_tokens'
  | 'compact'

const ofCapability: Readonly<Record<string, OperationName>> = {
  'generate-image': 'image_generation',
  'edit-image': 'image_edit',
  video: 'video_generation',
  'count-tokens': 'count_tokens',
  compact: 'compact',
}

/**
 * The operation of a request: what it is for, in any dialect. `undefined` for one that asks no model for
 * anything, such as a probe, an upload or the deletion of a response. A `fetch_response` reports no usage:
 * its tokens are those of an earlier call.
 */
export function operationNameOf(
  { method, capability = '' }: Pick<OperationInfo, 'method' | 'capability'>,
  dialect: Pick<DialectInfo, 'id'>,
): OperationName | undefined {
  if (capability === 'generate') return dialect.id === 'generate' ? 'generate_content' : 'chat'
  if (capability === 'stored-response') return method === 'GET' ? 'fetch_response' : undefined
  // The API of Vertex AI reads a job by POST.
  if (capability === 'video-job') return method === 'DELETE' ? undefined : 'fetch_response'
  return ofCapability[capability]
}
