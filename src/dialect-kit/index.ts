/**
 * The public API for dialects: `import { ... } from 'dragoman/dialect'`. The shipped dialects import
 * nothing else from `src/`. `docs/dialects.md` builds a dialect with it.
 */

// The contract: dialects, operations, exchanges.
export {
  type AnyDialect,
  defineAccountDialect,
  defineDialect,
  type Dialect,
  hasClients,
} from '../contract/dialect.ts'
export * from '../contract/dialect-info.ts'
export * from '../contract/operation.ts'
export type * from '../contract/observer.ts'
export type * from '../contract/framing.ts'
export type * from '../contract/codec.ts'
export type * from '../contract/conversion.ts'
export type * from '../contract/stored-data.ts'
export type * from '../contract/stored.ts'
export type * from '../contract/call.ts'
export type * from '../contract/outcome.ts'
export type * from '../contract/refusal.ts'
export type * from '../contract/exchange.ts'
export type * from '../contract/request.ts'
export type * from '../contract/candidate.ts'
export * from '../contract/account.ts'
export type * from '../contract/body.ts'
export type * from '../contract/files.ts'
export type * from '../contract/services.ts'
export type * from '../contract/socket.ts'
export * from '../contract/attempt.ts'
export type * from '../contract/outbound.ts'
export * from '../contract/provider.ts'
export type * from '../contract/adaptation.ts'
export * from '../contract/credential.ts'
export * from '../contract/errors.ts'
export { definePlugin, type GatewayPlugin } from '../contract/plugin.ts'

// The neutral model of text generation: requests, replies, events, unsupported features.
export type * from '../generate/request.ts'
export type * from '../generate/content.ts'
export type * from '../generate/tools.ts'
export type * from '../generate/result.ts'
export type * from '../generate/events.ts'
export type { AccountLack } from '../generate/account-lacks.ts'
export * from '../generate/unsupported.ts'
export * from '../generate/call-ids.ts'
export * from '../generate/collect.ts'
export * from '../generate/data-url.ts'
export * from '../generate/effort.ts'
export * from '../generate/fields.ts'
export * from '../generate/mapper.ts'
export * from '../generate/match-results.ts'
export * from '../generate/names.ts'
export * from '../generate/notes.ts'
export * from '../generate/replay.ts'
export * from '../generate/signatures.ts'

// The neutral models of embeddings, images and videos.
export * from '../media/account-call.ts'
export type * from '../media/drawing.ts'
export * from '../media/embedding.ts'
export * from '../media/image.ts'
export * from '../media/video-frame.ts'
export * from '../media/video.ts'

// Credentials, checks of requests, error envelopes, observers of native streams.
export * from '../kit/credential.ts'
export * from '../kit/token-credential.ts'
export * from '../kit/accept-socket.ts'
export * from '../kit/checks.ts'
export * from '../kit/error-envelope.ts'
export { tokensOfOutput } from '../kit/estimate.ts'
export * from '../kit/upstream-error.ts'
export * from '../kit/observe.ts'
export * from '../kit/broken-stream.ts'
export {
  type SseEvent,
  SseJoiner,
  findLines,
  formatFrame,
  joinLines,
  nextBoundary,
  parseFrame,
  splitFrames,
  startsWith,
} from '../lib/sse.ts'
export { sse } from '../kit/framing/sse.ts'
export { ndjson } from '../kit/framing/ndjson.ts'
export { jsonArray } from '../kit/framing/json-array.ts'
export { eventStream } from '../kit/framing/event-stream.ts'
export { brokenFrame, cutInFrame } from '../kit/framing/cut-off.ts'
export { DisclosedData, StreamedChoices, UnaskedUsage } from '../kit/observer-state.ts'
export * from '../kit/usage.ts'
export * from '../kit/models.ts'
export { fillPath, isModelName, isSegment } from '../kit/account-path.ts'
export * from '../kit/affinity-keys.ts'
export * from '../kit/counting.ts'
export * from '../kit/not-offered.ts'
export * from '../kit/public-url.ts'
export * from '../kit/reserve-memory.ts'
export * from '../kit/stored-size.ts'
export { RecentMap } from '../lib/recent-map.ts'
export { createSemaphore } from '../lib/semaphore.ts'
export { compilePatterns } from '../accounts/patterns.ts'
export { enterCall } from '../exchange/record.ts'
export { createNativeRequest, replyModelOf } from '../upstream/native.ts'
export { mapStrings, mask } from '../kit/secrets/mask.ts'
export { containsKey, redact, redactBytes } from '../kit/secrets/redact.ts'

// Sessions of other clients than those with API keys.
export type { EphemeralKeys, PreparedSession } from '../accounts/ephemeral-keys.ts'

// Helpers of codecs.
export * from '../kit/codec/failure.ts'
export * from '../kit/codec/options.ts'
export * from '../kit/codec/piece-encoder.ts'
export * from '../kit/codec/pieces.ts'
export { hasOtherCharset, inUtf8, readFileText } from '../kit/codec/file-text.ts'
export * from '../kit/codec/file-readings.ts'
export * from '../kit/codec/missing-results.ts'
export * from '../kit/codec/read.ts'
export * from '../kit/codec/reply-events.ts'
export * from '../kit/codec/stops.ts'

// Readers of untrusted JSON, in-place edits of JSON and forms, server-sent events.
export * from '../lib/append.ts'
export * from '../lib/json/object.ts'
export * from '../lib/json/read.ts'
export {
  type ByteRange,
  type JsonText,
  TooDeep,
  decodeString,
  eachElement,
  eachMember,
  endOfValue,
  findClosingQuote,
  findMember,
  hasString,
  mayHaveString,
  isEscaped,
  passElements,
  passMembers,
  skipString,
} from '../lib/json/scan.ts'
export * from '../lib/media-type.ts'
export * from '../lib/json/edit.ts'
export * from '../lib/text-map.ts'
export * from '../lib/ids.ts'
export * from '../lib/has-scheme.ts'
export * from '../lib/image-type.ts'
export * from '../lib/maybe-promise.ts'
export { secondsOf, wholeSeconds } from '../lib/time.ts'
export * from '../lib/without-blanks.ts'
export { describeError, type Log } from '../lib/log.ts'
export { insertModel, removeField } from '../body/edits.ts'
export { contentEdit, headEdit, newPart } from '../body/form/edits.ts'
export { type FormPartHead, encodePartHead } from '../body/form/encode.ts'

// Requests of batches, files at accounts.
export { parseBody } from '../body/read-body.ts'
export { defaultLimits } from '../contract/limits.ts'
export type { MemoryLease } from '../contract/memory.ts'
export { leaseOf } from '../exchange/record.ts'
export { findNamedFiles } from '../file-references/bind-files.ts'
export { linesOf } from '../lib/text-lines.ts'
export { tokensOfLine } from '../limits/estimate.ts'
export * from '../jobs/objects.ts'
export type { OpenJobs } from '../jobs/open-jobs.ts'
export { type RecordPage, unavailable } from '../jobs/owned-records.ts'
export type { KnownBindings } from '../stores/bindings.ts'

// Video jobs.
export { type VideoCreation, planVideoCreation } from '../jobs/create-video.ts'
export { videoContentOf } from '../jobs/content.ts'
export { wholeContents } from '../jobs/whole-content.ts'
export { isJobId, jobIdLength, partId } from '../jobs/ids.ts'
export { type Job, aboutJob, isOver, orderJob } from '../jobs/job.ts'
export type { JobPage, Jobs } from '../jobs/jobs.ts'
export { accountOf, ownJob, ownerOf, pinTo, recordSource } from '../jobs/owner.ts'
export { type RefreshOptions, refreshJob, settlingSeconds } from '../jobs/refresh-job.ts'
export { largestStored, readStored } from '../jobs/stored.ts'

// Uploads and stored results.
export { startDeadline } from '../remote/deadline.ts'
export type { UploadRequest } from '../storage/issue.ts'
export { storedPattern } from '../storage/local/urls.ts'
export {
  type KnownFile,
  type ReferencedUpload,
  openReferenced,
  readOpened,
  rereadFile,
  withFieldName,
} from '../storage/read-opened.ts'
export type { Results } from '../storage/results.ts'
export type { Uploads } from '../storage/uploads.ts'
export { pacer, nextTurn } from '../lib/turns.ts'
