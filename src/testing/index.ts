/** The test kit for plugins, dialects and configurations. */
export {
  createTestGateway,
  type TestAdmin,
  type TestGateway,
  type TestGatewayOptions,
} from './gateway.ts'
export {
  type AccountRequest,
  type Answer,
  answerJson,
  answerStream,
  type FakeAccount,
  startFakeAccount,
} from './fake-account.ts'
export type { LogLines } from './lines.ts'
export { until } from './until.ts'
export { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/index.ts'
export type { SandboxAccount } from '../sandbox/accounts.ts'
export type { ContractCheck } from './contracts/check.ts'
export { codecContract, type CodecContractOptions } from './contracts/codec.ts'
export {
  accountDialectContract,
  type AccountDialectContractOptions,
  type AccountDialectSample,
  type AccountRefusal,
} from './contracts/account-dialect.ts'
export { dialectContract } from './contracts/dialect.ts'
export type { DialectContractOptions, DialectSample } from './contracts/dialect-sample.ts'
export { pluginContract, type PluginContractOptions } from './contracts/plugin.ts'
