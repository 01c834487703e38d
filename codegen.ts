import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/schema.generated.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        contextType: './context.ts#RequestContext',
        enumsAsTypes: true,
        useTypeImports: true,
        useIndexSignature: false,
        strictScalars: true,
        scalars: {
          ID: { input: 'string', output: 'string' },
          DateTime: { input: 'Date', output: 'Date' },
          Duration: 'string',
          Date: 'string',
          UUID: 'string',
          Decimal: 'string',
        },
        optionalResolveType: false,
        makeResolverTypeCallable: true,
        mappers: {
          Book: './catalogue/operations.ts#Book as BookModel',
          BookEdge: '{ cursor: string; bookId: string }',
          Item: './market/operations.ts#Item as ItemModel',
          ItemEdge: '{ cursor: string; itemId: string; listedAt: Date }',
          ViewedBookEdge: '{ cursor: string; viewedAt: Date; bookId: string }',
          TrendingEdge: './events/operations.ts#TrendingEdge as TrendingEdgeModel',
          ActivityPoint: './events/operations.ts#ActivityPoint as ActivityPointModel',
          Library: './libraries/operations.ts#Library as LibraryModel',
          LibraryEdge: '{ cursor: string; libraryId: string }',
          User: './accounts/operations.ts#User as UserModel',
          Likeable: './likes/operations.ts#Likeable as LikeableModel',
          Node: './nodes.ts#NodeObject as NodeObjectModel',
          Action: './activity/operations.ts#Action as ActionModel',
          LikeEdge: './likes/operations.ts#LikeEdge as LikeEdgeModel',
          LikerEdge: './likes/operations.ts#LikerEdge as LikerEdgeModel',
          Reading: './reading/shelves.ts#Reading as ReadingModel',
          ShelfEdge: './reading/shelves.ts#ShelfEdge as ShelfEdgeModel',
          ReadBookEdge: './reading/operations.ts#ReadBookEdge as ReadBookEdgeModel',
          ReadBookConnection: './reading/operations.ts#ReadBookConnection as ReadBookConnectionModel',
          LikePayload: './likes/operations.ts#LikeAnswer',
          Session: './sessions/operations.ts#Session as SessionModel',
          SecurityEvent: './security/operations.ts#SecurityEvent as SecurityEventModel',
          LoginWindows: './logins/operations.ts#LoginWindows as LoginWindowsModel',
          PageInfo: './connections.ts#PageInfo as PageInfoModel',
        },
      },
    },
  },
};

export default config;
