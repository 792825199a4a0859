import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** UNANSWERED: the process may have done it or not. */
export type CommandStatus =
  | 'DONE'
  | 'FAILED'
  | 'UNANSWERED';

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

export type ReloadConfigurationInput = {
  /** For the audit record. */
  reason?: string | null | undefined;
};

/** Where a value comes from. A flag goes before the environment, that before the file. */
export type SettingOrigin =
  | 'DEFAULT'
  | 'ENVIRONMENT'
  | 'FILE'
  | 'FLAG'
  | 'STORE';

export type StartCaptureInput = {
  /** The account that was asked last. Absent: all. */
  accountId?: string | null | undefined;
  /** The most of each process, from 1 to 1000, by default 100. */
  exchanges?: number | null | undefined;
  keyId: string;
  /** From 1 to 60, by default 5. */
  minutes?: number | null | undefined;
  /** A platform model. Absent: all. */
  model?: string | null | undefined;
  /** For the audit record. */
  reason: string;
};

export type StartDrainInput = {
  /** Absent: all processes on the store. */
  processId?: string | null | undefined;
  /** For the audit record. */
  reason: string;
};

export type StopCaptureInput = {
  id: string;
  /** For the audit record. */
  reason?: string | null | undefined;
};

export type StoreKind =
  | 'FILE'
  | 'MEMORY'
  | 'REDIS';

export type ConfigurationPageQueryVariables = Exact<{
  section?: string | null | undefined;
}>;


export type ConfigurationPageQuery = { configuration: { file: string | null, hash: string, loadedAt: string, needsRestart: Array<string>, settingsCount: number, problems: Array<{ path: string, message: string, fix: string }>, settings: Array<{ path: string, value: unknown, origin: SettingOrigin }> }, gateway: { version: string, processId: string, processesComplete: boolean, store: { kind: StoreKind, reachable: boolean }, processes: Array<{ id: string, host: string, pid: number, worker: number | null, version: string, ready: boolean, draining: boolean, stale: boolean, startedAt: string, inFlight: number, loopLagMs: number, configuration: { hash: string, problems: Array<{ message: string }> } }> }, captures: Array<{ id: string, keyId: string, accountId: string | null, model: string | null, startedAt: string, startedBy: string, endsAt: string }> | null };

export type ReloadConfigurationMutationVariables = Exact<{
  input: ReloadConfigurationInput;
}>;


export type ReloadConfigurationMutation = { reloadConfiguration:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'ReloadConfigurationSuccess', processes: Array<{ processId: string, status: CommandStatus, text: string | null }> | null }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

type Refusal_Conflict_Fragment = { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null };

type Refusal_Invalid_Fragment = { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> };

type Refusal_ManagedByFile_Fragment = { __typename: 'ManagedByFile', fix: string, message: string };

type Refusal_NotFound_Fragment = { __typename: 'NotFound', message: string };

type Refusal_StoreUnavailable_Fragment = { __typename: 'StoreUnavailable', message: string };

export type RefusalFragment =
  | Refusal_Conflict_Fragment
  | Refusal_Invalid_Fragment
  | Refusal_ManagedByFile_Fragment
  | Refusal_NotFound_Fragment
  | Refusal_StoreUnavailable_Fragment
;

export type RatePartsFragment = { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null };

export type StartDrainMutationVariables = Exact<{
  input: StartDrainInput;
}>;


export type StartDrainMutation = { startDrain:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StartDrainSuccess', processes: Array<{ processId: string, status: CommandStatus, text: string | null }> | null }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type StartCaptureMutationVariables = Exact<{
  input: StartCaptureInput;
}>;


export type StartCaptureMutation = { startCapture:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StartCaptureSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type StopCaptureMutationVariables = Exact<{
  input: StopCaptureInput;
}>;


export type StopCaptureMutation = { stopCapture:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StopCaptureSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const ConfigurationPage: Operation<ConfigurationPageQuery, ConfigurationPageQueryVariables> = { name: 'ConfigurationPage', hash: '21f233458b76207862a7a441eece9f7bffde6d83284b2fc0e00d44b9f8158af6' }

export const ReloadConfiguration: Operation<ReloadConfigurationMutation, ReloadConfigurationMutationVariables> = { name: 'ReloadConfiguration', hash: '632224d6b2e3d24bef1d23df1bad0323da5c0e6cf4a430efe3e130c05c3fb8f8' }

export const StartDrain: Operation<StartDrainMutation, StartDrainMutationVariables> = { name: 'StartDrain', hash: '04f9ba5ad17d7c1f0011a986978e327c2529d4aba35feb66259264a85f3ed6fa' }

export const StartCapture: Operation<StartCaptureMutation, StartCaptureMutationVariables> = { name: 'StartCapture', hash: '1ced7d076d9948f5b6e28a1041d229b8e931b24b6729361e0218df33e40a70fa' }

export const StopCapture: Operation<StopCaptureMutation, StopCaptureMutationVariables> = { name: 'StopCapture', hash: 'd4ed4d0f5f8673d21aa0b873c316c679c279db479cc22d1d5713459d7b40d50d' }
