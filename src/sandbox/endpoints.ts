import type { IncomingHttpHeaders } from 'node:http'
import { messages } from './anthropic/messages.ts'
import { messageBatches } from './anthropic/batches.ts'
import { messageFiles } from './anthropic/files.ts'
import { anthropicModels } from './anthropic/models.ts'
import { anthropic } from './anthropic/provider.ts'
import { converse } from './bedrock/converse.ts'
import { invokeModel } from './bedrock/invoke.ts'
import { foundationModels } from './bedrock/models.ts'
import { bedrock } from './bedrock/provider.ts'
import { bedrockVendors } from './bedrock/vendors.ts'
import { azure, azureEndpoints } from './clouds/azure.ts'
import { vertexEndpoints } from './clouds/vertex.ts'
import { cachedContents } from './gemini/caches.ts'
import { generateContent } from './gemini/generate-content.ts'
import { geminiModels } from './gemini/models.ts'
import { gemini } from './gemini/provider.ts'
import { videoFiles } from './gemini/videos/files.ts'
import { operations } from './gemini/videos/operations.ts'
import { predictLongRunning } from './gemini/videos/predict.ts'
import { speech } from './openai/audio/speech.ts'
import { transcriptions, translations } from './openai/audio/transcriptions.ts'
import { chatCompletions } from './openai/chat/completions.ts'
import { conversations } from './openai/conversations/conversations.ts'
import { conversationItems } from './openai/conversations/items.ts'
import { rerank } from './cohere/rerank.ts'
import { completions } from './openai/completions.ts'
import { embeddings } from './openai/embeddings.ts'
import { batches } from './openai/files/batches.ts'
import { files } from './openai/files/files.ts'
import { uploads } from './openai/files/uploads.ts'
import { imageEdits } from './openai/images/edits.ts'
import { imageGenerations } from './openai/images/generations.ts'
import { moderations } from './openai/moderations.ts'
import { openaiModels } from './openai/models.ts'
import { openai } from './openai/provider.ts'
import { clientSecrets } from './openai/realtime/client-secrets.ts'
import { compactResponse } from './openai/responses/compact.ts'
import { inputTokens } from './openai/responses/input-tokens.ts'
import { createResponse } from './openai/responses/create.ts'
import { storedResponses } from './openai/responses/stored-responses.ts'
import { videos } from './openai/videos/videos.ts'
import { presetEndpoints, presetProviderOf } from './presets/endpoints.ts'
import { Problem } from './problem.ts'
import type { Endpoint, Provider } from './provider.ts'

// Where patterns overlap, the more specific endpoint stands first; OpenAI's are the last.
const endpoints: Endpoint[] = [
  ...bedrockVendors,
  ...presetEndpoints,
  ...azureEndpoints,
  ...vertexEndpoints,
  inputTokens,
  compactResponse,
  createResponse,
  ...storedResponses,
  ...conversations,
  ...conversationItems,
  chatCompletions,
  completions,
  embeddings,
  moderations,
  clientSecrets,
  rerank,
  ...messages,
  ...messageBatches,
  ...messageFiles,
  ...converse,
  ...invokeModel,
  foundationModels,
  imageEdits,
  imageGenerations,
  speech,
  transcriptions,
  translations,
  ...videos,
  ...files,
  ...uploads,
  ...batches(
    (method, path, headers) =>
      findEndpoint(method, new URL(path, 'http://sandbox'), headers).endpoint,
  ),
  ...predictLongRunning,
  ...operations,
  ...videoFiles,
  ...cachedContents,
  ...generateContent,
  ...anthropicModels,
  ...geminiModels,
  ...openaiModels,
]

/** The endpoint of a request, with the decoded parts of its path. */
type FoundEndpoint = { endpoint: Endpoint; params: Record<string, string> }

/** Finds the endpoint of a request. Throws a 404, or a 405 if only the method is wrong. */
export function findEndpoint(
  method: string,
  url: URL,
  headers: IncomingHttpHeaders,
): FoundEndpoint {
  const onPath = endpoints.filter(
    ({ path, applies }) =>
      path.test(url.pathname) && applies?.(headers, url.searchParams) !== false,
  )
  const endpoint = onPath.find((candidate) => candidate.method === method)
  if (endpoint) return { endpoint, params: decodedGroups(endpoint.path, url.pathname) }
  if (onPath.length > 0) throw new Problem(405, `Method not allowed: ${method} ${url.pathname}`)
  throw new Problem(404, `Invalid URL (${method} ${url.pathname})`)
}

/** The provider whose error shape an unknown path gets. */
export function providerOf(path: string): Provider {
  const preset = presetProviderOf(path)
  if (preset) return preset
  if (path.startsWith('/openai/')) return azure
  if (/^\/v1(beta|alpha|beta1)\/|^\/v1\/models\/.+:/.test(path)) return gemini
  if (path.startsWith('/model/') || path === '/foundation-models') return bedrock
  return path.startsWith('/v1/messages') ? anthropic : openai
}

function decodedGroups(path: RegExp, pathname: string): Record<string, string> {
  const groups = path.exec(pathname)?.groups ?? {}
  const entries = Object.entries(groups).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, decode(value)]))
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Problem(400, `Malformed path segment: ${segment}`)
  }
}
