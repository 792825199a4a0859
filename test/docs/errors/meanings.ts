import type { ErrorCode } from '../../../src/contract/errors.ts'

/** When the gateway answers with each of its errors, as `docs/clients.md` says it. */
export const meanings: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'The request does not fit the endpoint or the state of the resource, such as content of a video that is not completed',
  invalid_json: 'The body is empty, or not a JSON object',
  invalid_form: 'The multipart form is malformed or ambiguous',
  invalid_value:
    '`param` has a value that the contract does not allow, or that no account can be asked for',
  missing_required_parameter: '`param` is missing',
  duplicate_parameter: '`param` occurs twice',
  invalid_encoding: 'The body cannot be decompressed as its `content-encoding` says',
  context_length_exceeded: "A translated call exceeds the model's context, as the account reports",
  conversation_model_mismatch:
    'The account that keeps the conversation does not serve the requested model',
  previous_response_not_found:
    'The response is unknown, older than an hour, of another key or of another model, or has not ended as `completed` (the message says so)',
  unauthenticated: 'The API key is missing, unknown, expired, disabled or revoked',
  url_signature_invalid: 'The signature of an upload URL does not fit its path, query or method',
  url_expired: 'A signed URL is no longer valid',
  not_found: 'The path, resource or file does not exist for this key',
  model_not_found:
    'The model does not exist, the key may not use it, or no account serves it on this endpoint; while the store does not answer, see `lookup_unavailable`',
  method_not_allowed: 'The path exists for other methods, which `allow` names',
  request_timeout: 'The request body stopped arriving for `timeouts.requestBodyMs`',
  already_exists: 'A file of this path exists, or the upload URL was used before',
  request_too_large: 'The body, a part, a file or an upload exceeds its limit',
  unsupported_media_type:
    'The body is a form or a file where JSON is expected, is encoded in an unsupported way, or has a media type that uploads do not accept',
  budget_exceeded: 'A [budget](limits.md) of the key, its team or the gateway is spent',
  model_unpriced:
    'A budget of `cost` counts the call, and no account has a price for the model ([limits](limits.md#models-without-a-price))',
  permission_denied: 'A plugin denies the call to its caller',
  service_unavailable: 'A service that a plugin needs for the call does not answer',
  plugin_rejected: 'A plugin rejects the request or its reply',
  upgrade_required: 'The path is a [WebSocket](websockets.md), and the request is no handshake',
  budget_in_use: 'Calls that still run hold the rest of a [budget](limits.md#budgets)',
  quota_exceeded:
    'A plugin refuses the call because a quota is spent; `retry-after` says when it may be repeated',
  rate_limited:
    'Every account of the model is at its rate limit; the key has `limits.callsPerKey` calls in progress; or many wrong keys came from the address',
  client_closed_request: 'The client left before the answer began (in the access log only)',
  internal_error: 'The gateway failed; the log has the details',
  plugin_failed: 'A plugin failed on the reply of the account; the log has the details',
  misconfigured:
    'The gateway cannot build a URL, because `publicUrl` is not set; or the configuration has a name for the model that the path of its account cannot contain',
  upstream_rejected:
    "The account answered with an error, which has the account's own status; 502 for a status that is no error",
  upstream_unreachable: 'No connection to the account, or the connection broke',
  upstream_invalid_reply: 'The account sent a reply that is not one of its dialect',
  upstream_reply_too_large:
    'The reply of the account exceeds `limits.replyBytes`, is nested too deeply, has too many values, or cites long addresses too often (16 MiB)',
  upstream_account_refused:
    "The account's provider refused its key, its credit or its access to the model",
  upstream_stream_broken: 'The stream of the account broke, or ended without its terminal event',
  no_account_available: 'No account can serve the call at the moment; Messages clients get 529',
  owner_unavailable:
    'The account that owns a conversation, a response or a job cannot be used; if no connection to it stood, a retry may help',
  previous_response_account_unavailable:
    'The account that made the previous response cannot be used; the gateway does not ask another one. If no connection to it stood, a retry may help',
  previous_response_lookup_unavailable:
    'The store did not answer, so the owner of the previous response is not known',
  lookup_unavailable:
    'The store or the owner of a job did not answer in time; or no account that the gateway knows can serve the call, and the store, which may have others, does not answer',
  limits_unavailable: 'The store of the [limits](limits.md#without-the-store) is away',
  spool_full:
    'Other requests have taken all of `limits.spoolBytes`, or the disk of the spool is full',
  memory_full:
    'Requests have taken all of `limits.memoryBytes` or their key its share, or uploads all of `limits.inlineBytes`',
  spool_unavailable: 'The spool directory cannot be written or read',
  draining: 'The gateway shuts down',
  exchange_cancelled: 'An operator cancelled the request',
  storage_unavailable: 'A storage of uploads cannot be used or did not answer in time',
  upstream_timeout: 'The account did not connect, answer, continue or finish in time',
  storage_full: 'The disk of the storage is full',
}
