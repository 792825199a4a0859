/** What configurations, plugins and embedders import from `dragoman`. */
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
export { listen, type Listener } from './listen.ts'
export { defineConfig } from './configuration/define-config.ts'
export type { Config } from './configuration/config.ts'
export { resolveSettings, type Surroundings } from './configuration/resolve.ts'
export { ConfigurationError, type Problem } from './configuration/problems.ts'
export {
  definePlugin,
  type GatewayPlugin,
  type Outbound,
  type OutcomeInput,
  type StreamedBody,
  type Verdict,
  type Ended,
} from './plugin.ts'
export {
  defineDialect,
  defineOperation,
  type Asking,
  type Dialect,
  type ErrorReply,
  type Forward,
  type ForwardOperation,
  type Observation,
  type Observer,
  type Operation,
  type PerformOperation,
  type ServeOperation,
  type Target,
  type Told,
  type Upstream,
} from './dialect.ts'
export type * from './media/account-call.ts'
export type * from './media/video.ts'
export type * from './exchange.ts'
export type { RequestBody } from './body.ts'
export type { Form, FormPart, FormReplay } from './multipart/form.ts'
export { newPart } from './multipart/new-part.ts'
export type { GenerateEvent } from './generate/events.ts'
export type { EventMapper } from './generate/mapper.ts'
export { GatewayError, type ErrorCode, type ErrorKind } from './errors.ts'
export { errorFormat } from './error-format.ts'
export { bearer, firstCredential, queryKey, xApiKey, xGoogApiKey } from './credential.ts'
export { NativeObserver, endedEarly, type ObservedEvent } from './observe.ts'
export { formatFrame, parseFrame, splitFrames } from './sse.ts'
export * from './checks.ts'
export type { Account, Candidate } from './accounts/account.ts'
export { compileSnapshot } from './accounts/compile.ts'
export type { AccountSetting, Settings } from './configuration/settings.ts'
export type { Snapshot } from './accounts/snapshot.ts'
export {
  createTranslationServices,
  type TranslationOptions,
  type TranslationServices,
} from './translate/services.ts'
export { createPublicUrl, type PublicUrl } from './public-url.ts'
export type { Files, OpenedFile } from './files.ts'
export type { FileField, FileFields, HeldFile } from './named-files/index.ts'
export type { FileName, Place, Storage, UploadTarget, UploadTerms } from './storage/storage.ts'
export { openStore } from './stores/open.ts'
export { StoreUnavailable, type Records, type Store } from './stores/store.ts'
export { createKeyRing, type KeyRing, type KeyRingOptions } from './stores/key-ring.ts'
export { createKey, listKeys, revokeKey, rotateKey, type IssuedKey } from './stores/keys.ts'
export { createLog, type Log } from './log.ts'
export { createLineWriter, type LineSink, type LineWriter } from './line-writer.ts'
