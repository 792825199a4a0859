import { z } from 'zod'

import { caSchema, clientCertificateSchema, proxySchema } from './account-connection.ts'
import { cloudSettings } from './account-clouds.ts'
import { accountHeadersSchema } from './account-headers.ts'
import { accountLacks } from '../generate/account-lacks.ts'
import { isHttpUrl } from './endpoints.ts'
import { forwardSchema } from './forward-schema.ts'
import { accountTimeoutsSchema } from './limits-schema.ts'
import { accountPricesSchema } from './prices-schema.ts'
import { quotasSchema } from './quota-schema.ts'
import {
  count,
  expects,
  flag,
  identifier,
  modelName,
  modelNames,
  optional,
  replyModelSchema,
  required,
  secret,
  withDefault,
} from './schema-nodes.ts'

const baseUrl = z
  .string()
  .refine(isHttpUrl)
  .meta({
    ...expects(
      'an http(s) URL without credentials, query or fragment',
      'https://llm.example.com/v1',
    ),
    hidden: true,
    url: true,
    pattern: '^https?://',
  })

const modelMap = z
  .record(z.string().min(1), modelName)
  .refine((map) => Object.keys(map).length > 0)
  .meta({ minProperties: 1 })

const models = z
  .union([modelNames, modelMap])
  .meta(
    expects(
      "a list of at least one model name or pattern, or a map from platform names to the account's own",
      ['gpt-*'],
    ),
  )

/** The bounds of weights: the weights of all accounts have a finite sum, and each account is chosen now and then. */
const leastWeight = 1e-6
const greatestWeight = 1e6

/** The schema of an account. */
export const accountSchema = z.strictObject({
  id: required(
    identifier,
    'Identifies the account in logs, in the header `x-dragoman-account` and in commands.',
  ),
  provider: required(
    z.string().min(1).meta(expects('the name of a provider', 'openai')),
    '`openai`, `anthropic`, `gemini`, `openai-compatible`, `sandbox`, `azure`, `bedrock`, `vertex`, a server by its name (`openrouter`, `groq`, `mistral`, `deepseek`, `xai`, `together`, `fireworks`, `cerebras`, `perplexity`, `cohere`, `moonshot`, `zai`, `qwen`, `minimax`, `ollama`, `vllm`, `sglang`, `llamacpp`, `lmstudio`, `github`, `cloudflare`, `huggingface`), or a provider that a plugin adds: [Providers](providers.md). The provider determines the defaults of `baseUrl` and `speaks`.',
  ),
  baseUrl: optional(
    baseUrl,
    "Base URL of the API, as the provider's own SDK expects it: with `/v1` for `openai` and `openai-compatible`, the bare origin for `anthropic` and `gemini`.",
    "the provider's; `openai-compatible`, `cloudflare` and `sandbox` have none",
  ),
  baseUrls: optional(
    z.record(z.string().min(1), baseUrl).meta({
      ...expects('base URLs by dialect', { messages: 'https://llm.example.com/anthropic' }),
      hidden: true,
      url: true,
    }),
    "Base URLs of single dialects, each as that dialect's SDK expects it: with `/v1` for OpenAI's dialects, without it for Anthropic's and Google's. They go before `baseUrl`; one key, one health and one set of limits are for all of them.",
    "the provider's, or `baseUrl`",
  ),
  apiKey: optional(
    secret,
    "The provider's API key. `env:NAME` reads it from the environment, `file:/path` from a file.",
    'requests carry no credential',
  ),
  ...cloudSettings,
  speaks: optional(
    z
      .array(z.string().min(1))
      .min(1)
      .meta(expects('a list of at least one dialect', ['responses', 'chat'])),
    'Dialects that the account speaks, if they differ from the dialects of its provider: `responses`, `chat`, `messages`, `generate`, `converse` (accounts only), `completions`, `embeddings`, `embed-content`, `predict`, `rerank`, `moderations`, `images`, `videos`, `video-operations`, `audio`, `realtime`, `files`, `message-batches`, `message-files`, `cached-contents`, or a dialect that a plugin adds. A translated request uses the first one that fits.',
    "the provider's; `chat` for `openai-compatible`",
  ),
  options: optional(
    z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        ...expects('an object of options', { region: 'eu-central-1' }),
        hidden: true,
      }),
    'Options of the account, for a provider whose plugin has a schema of them: [Dialects](dialects.md#options-of-accounts). They are no place for secrets.',
    "the defaults of the provider's schema",
  ),
  models: required(
    models,
    "Names and patterns (`gpt-*`, `*`) of the account's models, or a map from platform names to the account's own names. In a map, one `*` may stand on both sides: `{ 'team/*': 'gpt-*' }`.",
  ),
  outputLimitField: optional(
    z
      .enum(['max_completion_tokens', 'max_tokens'])
      .meta(expects("'max_completion_tokens' or 'max_tokens'", 'max_tokens')),
    'The field in which the account takes the limit of output tokens of a chat request. `max_tokens` suits Ollama and other servers that ignore the newer field; `max_completion_tokens` suits OpenAI, Azure OpenAI and accounts that forward to them. Requests that name the other field are adapted where the account takes `max_tokens`.',
    '`max_tokens` for `openai-compatible` and most servers by name, otherwise `max_completion_tokens`',
  ),
  asksForUsage: withDefault(
    z.boolean(),
    'Whether the gateway asks the account for the usage of each stream of chats and completions (`stream_options.include_usage`), to count its tokens. A client that has not asked for the usage does not get it. `false` suits servers that refuse the field: without it streams of clients that do not ask have no token counts.',
    true,
  ),
  lacks: optional(
    z
      .array(z.enum(accountLacks))
      .meta(expects(`a list of ${accountLacks.join(', ')}`, ['reasoning', 'store'])),
    "What the account's server lacks, in place of what its provider's servers lack: [a translated call](translation.md#what-an-account-lacks) leaves it out and names it as a loss. `[]`: it lacks nothing.",
    '`cache_key`, `safety_identifier`, `service_tier`, `store`, `strict_tools` and `system_midway` for chat requests to `openai-compatible`; these and [others](providers.md#servers-by-name) for servers by name; otherwise nothing',
  ),
  replyModel: withDefault(
    replyModelSchema,
    'The model that replies name: `account` as the account reports it, `client` as the client asked for it. An alias may decide otherwise.',
    'account',
  ),
  forward: optional(
    forwardSchema,
    "What the account gets of a client's request, besides [what its dialects name](clients.md#what-an-account-gets-of-a-request). It applies to calls in the account's own dialect.",
  ),
  headers: optional(
    accountHeadersSchema,
    'Headers of each request to the account, by name; they go before the headers of clients. A value may be `env:NAME` or `file:/path`. They do not follow a redirect to another host, and cannot replace the credential, the host or what belongs to the connection and the body. At most 32, of 16 KiB in all.',
    'none',
  ),
  timeouts: optional(
    accountTimeoutsSchema,
    'Deadlines of this account, which go before the top-level `timeouts`.',
  ),
  maxConcurrent: optional(
    count,
    'The most calls at once at this account, in each process; a stream counts until its end. A call goes to the next account while this one is [at its limit](routing.md#accounts-at-their-limit).',
    'no limit',
  ),
  prices: optional(
    accountPricesSchema,
    '[Prices](metrics.md#costs) of this account by its own names of models, which go before the prices of `prices`. `free`: its tokens cost nothing, as on a server of your own. For the file only: the admin API creates accounts without them, to which the top-level `prices` apply.',
    'the top-level `prices`',
  ),
  quotas: optional(
    quotasSchema,
    '[Limits](limits.md#accounts) of the account. They refuse no call: an account at a limit gets no calls, and others serve them. For the file only, as `prices`.',
    'no limits',
  ),
  proxy: optional(
    proxySchema,
    'The proxy for connections to the account: `http://HOST:PORT`, or `https://` for a proxy with TLS. It is asked for a tunnel (`CONNECT`), also for an `http:` address; TLS to the account stays end to end. A URL with credentials is `env:NAME` or `file:/path`. `false` goes without a proxy, whatever the environment says.',
    'the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`',
  ),
  ca: optional(
    caSchema,
    'Certificate authorities that the account, and its proxy, may have besides the authorities of the system, in PEM; `env:NAME` and `file:/path` read them from there.',
    'the authorities of the system and of `NODE_EXTRA_CA_CERTS`',
  ),
  clientCertificate: optional(
    clientCertificateSchema,
    'The certificate with which the gateway identifies itself to the account.',
  ),
  weight: withDefault(
    z
      .number()
      .min(leastWeight)
      .max(greatestWeight)
      .meta(expects('a number from 0.000001 to 1000000 (enabled: false disables an account)', 1)),
    'Share of the requests among accounts of the same priority: from 0.000001 to 1000000.',
    1,
  ),
  priority: withDefault(
    z.int32().meta(expects('a whole number', 0)),
    'Accounts with a lower number come first.',
    0,
  ),
  enabled: withDefault(flag, '`false` takes the account out of service.', true),
})
