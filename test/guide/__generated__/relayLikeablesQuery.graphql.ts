/**
 * @generated SignedSource<<3b2263b4dfd3af2ea8f3dd05f90d8731>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type relayLikeablesQuery$variables = {
  ids: ReadonlyArray<string>;
};
export type relayLikeablesQuery$data = {
  readonly nodes: ReadonlyArray<{
    readonly __typename: string;
    readonly id: string;
    readonly likeCount?: number;
    readonly viewerHasLiked?: boolean;
  } | null | undefined> | null | undefined;
};
export type relayLikeablesQuery = {
  response: relayLikeablesQuery$data;
  variables: relayLikeablesQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "ids"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "ids",
        "variableName": "ids"
      }
    ],
    "concreteType": null,
    "kind": "LinkedField",
    "name": "nodes",
    "plural": true,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "__typename",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "id",
        "storageKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "likeCount",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "viewerHasLiked",
            "storageKey": null
          }
        ],
        "type": "Likeable",
        "abstractKey": "__isLikeable"
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "relayLikeablesQuery",
    "selections": (v1/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "relayLikeablesQuery",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "3f375bcaa80f41642606e0999f9452e2",
    "id": null,
    "metadata": {},
    "name": "relayLikeablesQuery",
    "operationKind": "query",
    "text": "query relayLikeablesQuery(\n  $ids: [ID!]!\n) {\n  nodes(ids: $ids) {\n    __typename\n    id\n    ... on Likeable {\n      __isLikeable: __typename\n      likeCount\n      viewerHasLiked\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "9553c19a950cf671609701e4ed420439";

export default node;
