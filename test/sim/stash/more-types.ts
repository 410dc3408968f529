/** What `api-types.txt` refers to without describing it, as far as a plugin like ours meets it. */
export const moreTypes = `
scalar Time
scalar Timestamp
scalar Map
scalar BoolMap
scalar PluginConfigMap
scalar Any
scalar Int64

type Plugin {
  id: ID!
  name: String!
  description: String
  url: String
  version: String
  enabled: Boolean!
  tasks: [PluginTask!]
  hooks: [PluginHook!]
  settings: [PluginSetting!]
  requires: [ID!]
  paths: PluginPaths!
}
type PluginPaths {
  javascript: [String!]
  css: [String!]
}
type PluginTask {
  name: String!
  description: String
  plugin: Plugin!
}
type PluginHook {
  name: String!
  description: String
  hooks: [String!]
  plugin: Plugin!
}
type PluginSetting {
  name: String!
  display_name: String
  description: String
  type: PluginSettingTypeEnum!
}
enum PluginSettingTypeEnum { STRING NUMBER BOOLEAN }
input PluginArgInput {
  key: String!
  value: PluginValueInput
}
input PluginValueInput {
  str: String
  i: Int
  b: Boolean
  f: Float
  o: [PluginArgInput!]
  a: [PluginValueInput!]
}

type ConfigGeneralResult {
  apiKey: String!
  username: String!
  maxSessionAge: Int!
  pluginsPath: String!
  configFilePath: String!
}
enum SystemStatusEnum { SETUP NEEDS_MIGRATION OK }

type Fingerprint {
  type: String!
  value: String!
}
type Gallery {
  id: ID!
  title: String
}
type HistoryMutationResult {
  count: Int!
  history: [Time!]!
}

enum GenderEnum { MALE FEMALE TRANSGENDER_MALE TRANSGENDER_FEMALE INTERSEX NON_BINARY }
input StashIDInput {
  endpoint: String!
  stash_id: String!
  updated_at: Time
}
input SceneMovieInput {
  movie_id: ID!
  scene_index: Int
}
input SceneMergeInput {
  source: [ID!]!
  destination: ID!
  values: SceneUpdateInput
  play_history: Boolean
}
input BulkUpdateStrings {
  values: [String!]
  mode: BulkUpdateIdMode!
}
input CustomFieldsInput {
  full: Map
  partial: Map
  remove: [String!]
}
input GroupDescriptionInput {
  group_id: ID!
  description: String
}
input PerformerDestroyInput {
  id: ID!
}
input StudioDestroyInput {
  id: ID!
}
input TagDestroyInput {
  id: ID!
}
input GroupDestroyInput {
  id: ID!
}
input PerformerMergeInput {
  source: [ID!]!
  destination: ID!
  values: PerformerUpdateInput
}
input GenerateMetadataInput {
  covers: Boolean
  sceneIDs: [ID!]
  overwrite: Boolean
}
input AutoTagMetadataInput {
  paths: [String!]
  performers: [String!]
  studios: [String!]
  tags: [String!]
}
extend type Mutation {
  sceneGenerateScreenshot(id: ID!, at: Float): String!
  performersDestroy(ids: [ID!]!): Boolean!
  studiosDestroy(ids: [ID!]!): Boolean!
  groupsDestroy(ids: [ID!]!): Boolean!
  tagsDestroy(ids: [ID!]!): Boolean!
  performerMerge(input: PerformerMergeInput!): Performer!
  metadataGenerate(input: GenerateMetadataInput!): ID!
  metadataAutoTag(input: AutoTagMetadataInput!): ID!
}
input ScanMetaDataFilterInput {
  minModTime: Timestamp
}
input ScanMetadataInput {
  paths: [String!]
  rescan: Boolean
  scanGenerateCovers: Boolean
  scanGeneratePreviews: Boolean
  scanGenerateImagePreviews: Boolean
  scanGenerateSprites: Boolean
  scanGeneratePhashes: Boolean
  scanGenerateThumbnails: Boolean
  scanGenerateClipPreviews: Boolean
  filter: ScanMetaDataFilterInput
}
`;
