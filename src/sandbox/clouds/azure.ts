import type { IncomingHttpHeaders } from 'node:http'
import { messages } from '../anthropic/messages.ts'
import { anthropic } from '../anthropic/provider.ts'
import { speech } from '../openai/audio/speech.ts'
import { transcriptions, translations } from '../openai/audio/transcriptions.ts'
import { chatCompletions } from '../openai/chat/completions.ts'
import { completions } from '../openai/completions.ts'
import { embeddings } from '../openai/embeddings.ts'
import { imageEdits } from '../openai/images/edits.ts'
import { imageGenerations } from '../openai/images/generations.ts'
import { openaiModels } from '../openai/models.ts'
import { openai, renderOpenAiError } from '../openai/provider.ts'
import { createResponse } from '../openai/responses/create.ts'
import { inputTokens } from '../openai/responses/input-tokens.ts'
import { storedResponses } from '../openai/responses/stored-responses.ts'
import { videos } from '../openai/videos/videos.ts'
import { Problem } from '../problem.ts'
import type { Call, Endpoint, JsonReply, Provider, Reply } from '../provider.ts'

/** Azure OpenAI: the key in `api-key` or as a bearer token, or a token of Entra; codes are texts of digits. */
export const azure: Provider = {
  ...openai,
  credentials: ['api-key', 'authorization'],
  audience: 'azure',
  requestIdHeader: 'apim-request-id',
  replyHeaders: () => ({ 'x-ms-region': 'Sandbox' }),
  renderProblem(problem) {
    const code = problem.details.code ?? String(problem.status)
    return { error: { ...renderOpenAiError(problem), code } }
  },
  wrongKey: () =>
    new Problem(
      401,
      'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription.',
      { code: '401' },
    ),
}

/** Claude at Foundry. */
const foundry: Provider = {
  ...anthropic,
  credentials: ['x-api-key', 'authorization'],
  audience: 'azure',
}

/** A request with this text is blocked by the content filter. */
const blockedText = 'sandbox: blocked prompt'

const safe = { filtered: false, severity: 'safe' }
const results = { hate: safe, self_harm: safe, sexual: safe, violence: safe }
const promptResults = [{ prompt_index: 0, content_filter_results: results }]

function blocked(): Problem {
  const hate = { filtered: true, severity: 'high' }
  return new Problem(
    400,
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    {
      code: 'content_filter',
      param: 'prompt',
      members: {
        type: null,
        status: 400,
        innererror: {
          code: 'ResponsibleAIPolicyViolation',
          content_filter_result: { ...results, hate },
        },
      },
    },
  )
}

function notDeployed(): Problem {
  return new Problem(404, 'The API deployment for this resource does not exist.', {
    code: 'DeploymentNotFound',
  })
}

/** The answer of OpenAI's endpoint, with what the content filter says. */
function filtered(answer: Endpoint['answer'], isChat: boolean): Endpoint['answer'] {
  return (call) => {
    const deployment = call.params['deployment'] ?? call.body['model']
    if (typeof deployment === 'string' && deployment.includes('not-deployed')) throw notDeployed()
    if (JSON.stringify(call.body).includes(blockedText)) throw blocked()
    const reply = answer(withModel(call))
    return isChat && 'json' in reply ? withResults(reply) : reply
  }
}

/** A dated API names the model in its path. */
function withModel(call: Call): Call {
  const { deployment } = call.params
  return deployment === undefined ? call : { ...call, body: { ...call.body, model: deployment } }
}

function withResults({ json, stream, ...rest }: JsonReply): Reply {
  const first = {
    id: '',
    object: '',
    created: 0,
    model: '',
    choices: [],
    prompt_filter_results: promptResults,
  }
  return {
    ...rest,
    json: { ...json, prompt_filter_results: promptResults },
    ...(stream && { stream: { ...stream, frames: [{ data: first }, ...stream.frames] } }),
  }
}

const ofOpenAi = [
  inputTokens,
  createResponse,
  ...storedResponses,
  chatCompletions,
  completions,
  embeddings,
  imageEdits,
  imageGenerations,
  speech,
  transcriptions,
  translations,
  ...videos,
  ...openaiModels,
]
const ofDeployments = [
  chatCompletions,
  completions,
  embeddings,
  imageEdits,
  imageGenerations,
  speech,
  transcriptions,
  translations,
]

/** The same endpoint at another place. */
function at(endpoint: Endpoint, start: string, isDated: boolean): Endpoint {
  const { source } = endpoint.path
  return {
    ...endpoint,
    provider: azure,
    path: new RegExp(source.replace('^\\/v1', `^${start}`)),
    applies: (_headers: IncomingHttpHeaders, query) => !isDated || query.has('api-version'),
    ...(endpoint === chatCompletions || endpoint === createResponse || isDated
      ? { answer: filtered(endpoint.answer, endpoint === chatCompletions) }
      : {}),
  }
}

/** The `v1` API, the dated one, and Claude. */
export const azureEndpoints: Endpoint[] = [
  ...ofOpenAi.map((one) => at(one, '\\/openai\\/v1', false)),
  ...ofDeployments.map((one) => at(one, '\\/openai\\/deployments\\/(?<deployment>[^/]+)', true)),
  ...ofOpenAi
    .filter((one) => !ofDeployments.includes(one))
    .map((one) => at(one, '\\/openai', true)),
  ...messages.map((one) => ({
    ...one,
    provider: foundry,
    path: new RegExp(one.path.source.replace('^\\/v1', '^\\/anthropic\\/v1')),
  })),
]
