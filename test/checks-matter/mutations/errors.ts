import { checksOf } from '../mutation.ts'

const own = ['test/errors/gateway-errors.test.ts']
const upstreams = ['test/errors/upstream-errors.test.ts']
const secrets = ['test/errors/secrets.test.ts']
const ids = ['test/errors/request-ids.test.ts']

/** The envelopes, and what may not be in them. */
export const errorChecks = [
  ...checksOf('errors', 'src/kit/error-envelope.ts', own, {
    'general: an integer code': ['code: status, message', 'code: error.code, message'],
    'general: details': ['details: [detail, ...details], ', ''],
    'general: a message': ['code: status, message, ', 'code: status, '],
    'general: a type of its status': [
      'const shared = { type, ',
      "const shared = { type: 'error', ",
    ],
    'general: details name the field': ['...shared }\n', '}\n'],
  }),
  ...checksOf('errors', 'src/kit/error-envelope.ts', ['test/auth/refusals.test.ts'], {
    'general: 401 is an authentication_error': [
      "return 'authentication_error'",
      "return 'server_error'",
    ],
  }),
  ...checksOf('errors', 'src/kit/error-envelope.ts', ['test/checks-matter/errors.test.ts'], {
    'general: details of the upstream are kept': ['[detail, ...details]', '[detail]'],
  }),
  ...checksOf('errors', 'src/kit/error-envelope.ts', upstreams, {
    'general: fields of the upstream are kept': ['{ ...original, code: status', '{ code: status'],
    'general: the type of the upstream is kept': [
      "typeof original?.type === 'string' ? original.type : openAiType(error)",
      'openAiType(error)',
    ],
    'general: the code of the upstream is kept': ['original?.code ?? error.code', 'error.code'],
    'general: the param of the upstream is kept': ['original?.param ?? param', 'param'],
  }),
  ...checksOf('errors', 'plugins/dialects/messages/errors.ts', own, {
    'messages: an integer code': ['code: status, details }', 'code: error.code, details }'],
    'messages: details': ['code: status, details }', 'code: status }'],
    'messages: an error is called one': ["type: 'error',\n", ''],
    'messages: the id of the request': ['request_id: id,', ''],
    'messages: a type of its status': [
      "return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')",
      "return status === 404 ? 'api_error' : 'invalid_request_error'",
    ],
    'messages: nobody left to ask is an overload': [
      "error.code === 'no_account_available' ? 529 : error.status",
      'error.status',
    ],
  }),
  ...checksOf(
    'errors',
    'plugins/dialects/messages/errors.ts',
    ['test/checks-matter/errors.test.ts'],
    {
      'messages: the type of the upstream is kept': [
        "typeof upstreamError?.type === 'string' ? upstreamError.type : typeOfStatus(status)",
        'typeOfStatus(status)',
      ],
    },
  ),
  ...checksOf('errors', 'plugins/dialects/messages/errors.ts', upstreams, {
    'messages: details of the upstream are kept': ['upstreamError?.details ?? ', ''],
    'messages: fields of the upstream are kept': ['{ ...upstreamError, type', '{ type'],
  }),
  ...checksOf('errors', 'plugins/dialects/shared/google-error.ts', own, {
    'generate: an integer code': ['code: status, message', 'code: name, message'],
    'generate: details': ['status: name, details }', 'status: name }'],
    'generate: a status name': ['status: name, details }', 'details }'],
    'generate: a name of its status': [
      "return statusNames[status] ?? (status >= 500 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT')",
      "return status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'",
    ],
  }),
  ...checksOf('errors', 'plugins/dialects/shared/google-error.ts', upstreams, {
    'generate: the status of the upstream is kept': [
      "typeof upstreamError?.status === 'string' ? upstreamError.status : statusNameOf(status)",
      'statusNameOf(status)',
    ],
    'generate: details of the upstream are kept': [
      'Array.isArray(upstreamError?.details) ? upstreamError.details : detailsOf(error)',
      '[errorInfo(error)]',
    ],
  }),
  ...checksOf(
    'errors',
    'plugins/dialects/responses/errors.ts',
    ['test/requests/previous-response.test.ts', ...upstreams],
    {
      'responses: errors of chaining have their envelope': [
        'error.param === chainingField || ',
        '',
      ],
      'responses: so has an error of chaining of the upstream': [
        "upstreamError?.code === 'previous_response_not_found'",
        'false',
      ],
    },
  ),
  ...checksOf(
    'errors',
    'plugins/dialects/responses/errors.ts',
    ['test/walks/kept/conversation-models.test.ts'],
    {
      'responses: so has a conversation that cannot go on': [
        " || error.code === 'conversation_model_mismatch'",
        '',
      ],
    },
  ),
  ...checksOf('errors', 'src/exchange/deliver.ts', [...ids, ...own], {
    'every answer has an id where its SDK reads it': [
      'if (idHeader) headers[idHeader]',
      'if (false) headers.x',
    ],
    'SDKs are told whether to try again': [
      "return { ...error.headers, 'x-should-retry': String(error.retry) }",
      'return { ...error.headers }',
    ],
    'errors are JSON, and say so': [
      "'content-type': 'application/json', ...errorHeaders",
      '...errorHeaders',
    ],
    'errors are in the dialect of the client': [
      'exchange.dialect?.error(error, exchange) ?? errorEnvelope(error)',
      'errorEnvelope(error)',
    ],
  }),
  ...checksOf('errors', 'src/exchange/deliver.ts', ['test/errors/untouched.test.ts'], {
    'errors of upstreams untouched, where that is asked': [
      "errors === 'upstream' && error.upstream",
      'false',
    ],
  }),
  ...checksOf('errors', 'src/attempt/attempt.ts', [...own, ...upstreams], {
    'no SDK tries again what was tried on every account': ['    retry: false,\n', ''],
  }),
  ...checksOf('errors', 'src/route/no-account-error.ts', own, {
    'no SDK tries again where nobody is left': [': { retry: false },', ': {},'],
  }),
  ...checksOf(
    'errors',
    'src/route/no-account-error.ts',
    ['test/walks/failover/rate-limited.test.ts'],
    {
      'a rate limit of every account is a 429': ['status === 429 &&', 'false &&'],
      'a rate limit of one account is not that of all': [
        'excluded.every(({ status, untilMs })',
        'excluded.some(({ status, untilMs })',
      ],
    },
  ),
  ...checksOf('errors', 'src/kit/counting.ts', ['test/outcomes/error-as-reply.test.ts'], {
    'a message alone is no count of tokens': [' || !hasMessage(body)', ' || true'],
  }),
  ...checksOf(
    'errors',
    'plugins/dialects/responses/create.ts',
    ['test/outcomes/error-as-reply.test.ts'],
    {
      'a message alone is no compaction': ['isResponse(body) || !hasMessage(body)', 'true'],
    },
  ),
  ...checksOf('errors', 'src/upstream/json-attempt.ts', ['test/outcomes/error-as-reply.test.ts'], {
    'an error with a 2xx status is no reply': [
      "outcome.status === 'failed' && outcome.error",
      'outcome.error && false',
    ],
  }),
  ...checksOf('errors', 'src/upstream/failure.ts', own, {
    'an account that is refused is a 502': [
      'const error = refusalError(about, shown)\n  const outcome: Outcome = {\n    status',
      'const error = shown\n  const outcome: Outcome = {\n    status',
    ],
    'failures of the network name no host': [
      "'The connection to the upstream failed.'",
      'error.message',
    ],
  }),
  ...checksOf('errors', 'src/kit/upstream-error.ts', own, {
    'a redirect is an error': ['return status < 400 || status > 599', 'return status > 599'],
  }),
  ...checksOf('errors', 'src/kit/upstream-error.ts', ['test/errors/upstream-errors.test.ts'], {
    'a status of the way to the account is not shown': [
      'status > 599 || connectionStatuses.has(status) ? 502',
      'status > 599 ? 502',
    ],
  }),
  ...checksOf('errors', 'src/kit/refusal-subject.ts', ['test/walks/failover/exhausted.test.ts'], {
    'an account that is refused with 401': ["401: 'credential',", ''],
    'an account that is refused with 402': ["402: 'credit',", ''],
    'an account that is refused with 403': ["403: 'unclear',", ''],
  }),
  ...checksOf('errors', 'src/upstream/failure.ts', ['test/walks/sdk/openai-errors.test.ts'], {
    'no SDK tries a conflict again': ['...(status === 409 && { retry: false }),', ''],
  }),
  ...checksOf('errors', 'src/upstream/failure.ts', upstreams, {
    'the time to wait is passed on': ['headers: passedHeaders(answer.headers, account),', ''],
    'the message of the upstream is passed on': [' || messageIn(answer.json)', ''],
  }),
  ...checksOf('errors', 'src/kit/redact.ts', secrets, {
    'the account’s secret is in no error': [
      "text.replace(secret, '[secret]') : text\n  return",
      'text : text\n  return',
    ],
    'no spelling of JSON hides a secret': [
      'const json = redactValue(answer.json, account)',
      'const json = answer.json',
    ],
  }),
  ...checksOf('errors', 'src/kit/redact.ts', ['test/errors/untouched.test.ts'], {
    'a secret is taken out of what is no JSON': [
      'Buffer.from(redact(answer.body.toString(), account))',
      'answer.body',
    ],
  }),
  ...checksOf('errors', 'src/upstream/failure.ts', [...secrets, 'test/errors/untouched.test.ts'], {
    'the account’s secret is taken out of the message': ['redact(message, account)', 'message'],
    'the account’s secret is taken out of the body': [
      'upstream: redactAnswer(answer, account)',
      'upstream: answer',
    ],
  }),
  ...checksOf('errors', 'src/kit/observe.ts', ['test/checks-matter/errors.test.ts'], {
    'the account’s secret is taken out of a stream': ['redact(text, account)', 'text'],
  }),
  ...checksOf('errors', 'src/contract/errors.ts', ['test/errors/throwing-plugins.test.ts'], {
    'a defect is told without its words': [
      "'The gateway failed to process this request.'",
      'String((thrown as Error)?.stack ?? thrown)',
    ],
  }),
  ...checksOf('errors', 'src/hooks/around.ts', ['test/errors/throwing-plugins.test.ts'], {
    'no hook goes on twice': ['if (called) throw', 'if (false) throw'],
  }),
  ...checksOf('errors', 'src/hooks/notify.ts', ['test/errors/throwing-plugins.test.ts'], {
    'a throw at an outcome harms nobody': [
      '} catch (error) {\n      failed(plugin, error)\n    }',
      '} finally {\n    }',
    ],
  }),
  ...checksOf('errors', 'src/http/listener.ts', ['test/errors/edge-plugins.test.ts'], {
    'a throw of an edge plugin is told without its stack': [
      "report('onRequest', error)\n",
      "report('onRequest', error)\n        throw error\n",
    ],
    'a throw of an edge plugin after the answer as well': [
      "report('onResponse', error)\n",
      "report('onResponse', error)\n        throw error\n",
    ],
  }),
  ...checksOf('errors', 'src/http/listener.ts', ['test/errors/nonsense-plugins.test.ts'], {
    'headers that cannot be sent are an error': [
      'return write(unsendable(reply, error, report), response, report)',
      'throw error',
    ],
  }),
  ...checksOf('errors', 'src/exchange/check-reply.ts', ['test/errors/nonsense-plugins.test.ts'], {
    'every answer has an id': [
      'return { ...reply, headers: { ...reply.headers, ...ids } }',
      'return reply',
    ],
  }),
  ...checksOf('errors', 'src/exchange/routes.ts', ['test/errors/paths.test.ts'], {
    'the methods of a path are told': ["headers: { allow: allowed.join(', ') },", ''],
  }),
  ...checksOf(
    'errors',
    'src/exchange/unknown-endpoint.ts',
    ['test/errors/unknown-endpoints.test.ts'],
    {
      'an unknown endpoint is a 404': ["'not_found'", "'invalid_request'"],
      'a doubled version is recognised': ["path.replace(extraVersions, '')", 'path'],
      'a missing version is recognised': [': `/v1${path}`', ': path'],
      'a path below a beginning that two dialects have belongs to neither': [
        'return others.length === 0 ? owner : undefined',
        'return owner',
      ],
      'an unsupported endpoint is not suggested': [' || match.route.operation.hidden', ''],
      'a path in a message is short': ['path.length > longestPath', 'false'],
      'a path in a message is printable': ['/[^\\x21-\\x7e]/g', '/[^\\0-\\xff]/g'],
    },
  ),
  ...checksOf('errors', 'src/exchange/identify.ts', ['test/errors/unknown-endpoints.test.ts'], {
    'an error has the format of the endpoint that the client means': [
      'const dialect = meant\n',
      'const dialect = meant && false\n',
    ],
    'an unknown path has the format of the dialect around it': [
      '(findClaimant(request) ?? findPathOwner(router, path))',
      'findClaimant(request)',
    ],
    'an error on a shared path has the format of the client': [
      '{ ...request, path: meant.path }',
      '{ ...request, headers: {} }',
    ],
  }),
]
