/** The public API for configurations, plugins and embedders: `import { ... } from 'dragoman'`. */
export { startGateway, type RunningGateway, type StartOptions } from './runtime/start-gateway.ts'
export type { HealthState, Pipeline, PipelineServices } from './runtime/pipeline.ts'
export type { Gateway } from './gateway.ts'
export { listen, type Listener } from './http/listen.ts'
export { defineConfig } from './configuration/config.generated.ts'
export type * from './configuration/config.generated.ts'
export { loadPlugins, type LoadPluginsOptions } from './configuration/plugins/load.ts'
export type { PluginReference } from './configuration/plugins/schema.ts'
export type { StandardSchema } from './contract/standard-schema.ts'
export { resolveSettings, type ResolveOptions } from './configuration/resolve.ts'
export { ConfigurationError, type Problem } from './contract/problems.ts'
export {
  definePlugin,
  type AccessFields,
  type GatewayPlugin,
  type OutcomeInput,
  type RequestInput,
  type Verdict,
} from './contract/plugin.ts'
export type {
  PluginCount,
  PluginCounters,
  PluginRecords,
  Probe,
  ProbeResult,
  StartInput,
  Task,
  TaskInput,
} from './contract/plugin-start.ts'
export { Declined } from './contract/attempt.ts'
export type { Outbound, StreamedBody } from './contract/outbound.ts'
export * from './contract/credential.ts'
export type * from './contract/adaptation.ts'
export type { Provider, ProviderPreset, Providers } from './contract/provider.ts'
export type { Preset } from './kit/preset-row.ts'
export { preset } from './kit/preset.ts'
export { type Token, headerCredential, tokenCredential } from './kit/token-credential.ts'
export { fillPath } from './kit/account-path.ts'
export type { Ended } from './contract/exchange.ts'
export type * from './contract/ledger-row.ts'
export type * from './contract/spend.ts'
export { defineDialect, type Dialect } from './contract/dialect.ts'
export {
  defineOperation,
  type AccountClient,
  type Forward,
  type ForwardOperation,
  type Operation,
  type PerformOperation,
  type ServeOperation,
  type Target,
  type AccountReply,
} from './contract/operation.ts'
export type { ErrorReply, Upstream } from './contract/dialect-info.ts'
export type { Observation, Observer } from './contract/observer.ts'
export type * from './media/account-call.ts'
export type * from './media/video.ts'
export type * from './contract/call.ts'
export type * from './contract/exchange.ts'
export type * from './contract/outcome.ts'
export type * from './contract/request.ts'
export type * from './lib/json/edit.ts'
export type { ByteRange } from './lib/json/scan.ts'
export type { RequestBody } from './contract/body.ts'
export type { Form, FormPart, FormReplay } from './contract/body.ts'
export { newPart } from './body/form/edits.ts'
export type { GenerateEvent } from './generate/events.ts'
export type { Emit, EventMapper } from './generate/mapper.ts'
export type * from './generate/request.ts'
export { mapJsonTexts } from './generate/json-texts.ts'
export { mapTexts } from './kit/request-texts.ts'
export { SentenceBuffer } from './generate/sentences.ts'
export type * from './generate/content.ts'
export type * from './generate/tools.ts'
export { GatewayError, type ErrorCode, type ErrorKind } from './contract/errors.ts'
export { errorEnvelope } from './kit/error-envelope.ts'
export { bearer, firstCredential, queryKey, xApiKey, xGoogApiKey } from './kit/credential.ts'
export { NativeObserver, type ObservedEvent } from './kit/observe.ts'
export { endedEarly } from './kit/broken-stream.ts'
export { formatFrame, parseFrame, splitFrames } from './lib/sse.ts'
export * from './kit/checks.ts'
export { type Account, optionsOf } from './contract/account.ts'
export type { Candidate } from './contract/candidate.ts'
export type { AccountSetting } from './contract/account.ts'
export type { Settings } from './configuration/settings.ts'
export type { Snapshot } from './contract/candidate.ts'
export type { PublicUrl } from './kit/public-url.ts'
export type { Files, OpenedFile } from './contract/files.ts'
export type { FileField, FileFields, InlinedFile } from './contract/files.ts'
export type {
  FileName,
  StoragePlace,
  Storage,
  UploadTarget,
  UploadTerms,
} from './contract/storage.ts'
export { openStore } from './stores/open.ts'
export { StoreUnavailable, type Records, type Store } from './stores/store.ts'
export type { KeyRing } from './stores/key-ring.ts'
export { createKey, listKeys, revokeKey, rotateKey, type IssuedKey } from './stores/keys.ts'
export { type LineSink, type LineWriter, type Log, createLineWriter, createLog } from './lib/log.ts'
